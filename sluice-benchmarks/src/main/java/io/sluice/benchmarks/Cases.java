package io.sluice.benchmarks;

import io.sluice.benchmarks.Case.Contestant;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** All cases, and the run of those that were asked for. */
final class Cases {
    private static final String[] PEERS = {"Guava", "Bucket4j", "Resilience4j", "Failsafe", "Sentinel"};

    private static final Case NANO_TIME = Case.of("nano-time", NanoTime.class, "nanoTime");

    private static final List<Case> MEASURED = List.of(
            NANO_TIME,
            Case.of("handle-allow", HandleAllow.class, "sluice", PEERS),
            Case.of("handle-deny", HandleDeny.class, "sluice", PEERS),
            Case.of("hot-key-2-threads", HotKey.class, "sluice", PEERS),
            Case.of("hot-key-2-threads-by-name", HotKey.class, "sluiceByName", PEERS),
            Case.of("million-keys", MillionKeys.class, "sluice", KeyBytes.PEER),
            Case.of("three-levels-10-policies", ThreeLevels.class, "sluice", "Bucket4j"),
            Case.of("three-levels-10000-policies", ThreeLevels.class, "sluiceMany", "Bucket4j"),
            Case.aside("check", Check.class, "sluice"),
            Case.aside("leaky-bucket", Algorithms.class, "leakyBucket"),
            Case.aside("fixed-window", Algorithms.class, "fixedWindow"),
            Case.aside("sliding-log", Algorithms.class, "slidingLog"),
            Case.aside("sliding-counter", Algorithms.class, "slidingCounter"));

    private final Pace pace;
    private final List<String> only;
    private boolean failed;

    /** Only the named ones; all, if none is named. */
    Cases(Pace pace, List<String> only) {
        this.pace = pace;
        this.only = only;
    }

    static List<String> names() {
        List<String> names = new ArrayList<>();
        MEASURED.forEach(each -> names.add(each.name()));
        names.add(KeyBytes.NAME);
        names.add(Simulate.NAME);
        return names;
    }

    List<Row> measure() throws Exception {
        Progress progress = new Progress();
        progress.sayIfBusy();
        List<Row> others = new ArrayList<>();
        if (asked(KeyBytes.NAME)) {
            others.add(KeyBytes.measure(progress));
        }
        if (asked(Simulate.NAME)) {
            others.add(Simulate.measure(pace, progress));
        }
        Rounds rounds = new Rounds(pace, progress);
        List<Case> cases = MEASURED.stream().filter(this::asked).toList();
        rounds.run(contestants(cases));
        failed = rounds.failed();
        List<Row> rows = new ArrayList<>();
        for (Case each : cases) {
            rows.add(new Row(
                    each.name(),
                    rounds.figure(each.sluice()),
                    each.peers().stream().map(rounds::figure).toList()));
        }
        rows.addAll(others);
        return rows;
    }

    /** Whether something is missing in what was measured. */
    boolean failed() {
        return failed;
    }

    private static Set<Contestant> contestants(List<Case> cases) {
        Set<Contestant> contestants = new LinkedHashSet<>();
        cases.forEach(each -> contestants.addAll(each.all()));
        return contestants;
    }

    private boolean asked(Case each) {
        // Handles are judged by the clock that they have to read.
        return asked(each.name())
                || (each.equals(NANO_TIME) && only.stream().anyMatch(name -> name.startsWith("handle-")));
    }

    private boolean asked(String name) {
        return only.isEmpty() || only.contains(name);
    }
}
