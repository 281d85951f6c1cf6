package io.sluice.benchmarks.local;

import io.sluice.benchmarks.common.ProgressLog;
import io.sluice.benchmarks.local.JmhCase.Contestant;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** All local cases, and the run of the selected ones. */
final class LocalCases {
    private static final String[] PEERS = {"Guava", "Bucket4j", "Resilience4j", "Failsafe", "Sentinel"};

    private static final JmhCase NANO_TIME = JmhCase.of("nano-time", NanoTime.class, "nanoTime");

    static final String CALENDAR = "calendar";
    static final String WARM_UP = "warm-up";
    private static final JmhCase LEAKY_BUCKET = JmhCase.of("leaky-bucket", Algorithms.class, "leakyBucket");

    private static final List<JmhCase> MEASURED = List.of(
            NANO_TIME,
            JmhCase.of("handle-allow", HandleAllow.class, "sluice", PEERS),
            JmhCase.of("handle-deny", HandleDeny.class, "sluice", PEERS),
            JmhCase.of("hot-key-2-threads", HotKey.class, "sluice", PEERS),
            JmhCase.of("hot-key-2-threads-by-name", HotKey.class, "sluiceByName", PEERS),
            JmhCase.of("million-keys", MillionKeys.class, "sluice", KeyBytes.PEER),
            JmhCase.of("three-levels-10-policies", ThreeLevels.class, "sluice", "Bucket4j"),
            JmhCase.of("three-levels-10000-policies", ThreeLevels.class, "sluiceMany", "Bucket4j"),
            JmhCase.aside("check", CheckByName.class, "sluice"),
            LEAKY_BUCKET,
            JmhCase.of(CALENDAR, Algorithms.class, "calendar"),
            JmhCase.of(WARM_UP, Algorithms.class, "warmUp"),
            JmhCase.aside("fixed-window", Algorithms.class, "fixedWindow"),
            JmhCase.aside("sliding-log", Algorithms.class, "slidingLog"),
            JmhCase.aside("sliding-counter", Algorithms.class, "slidingCounter"));

    private final JmhPlan plan;
    private final List<String> only;
    private boolean failed;

    /** Selects the named cases; all cases if no name is given. */
    LocalCases(JmhPlan plan, List<String> only) {
        this.plan = plan;
        this.only = only;
    }

    static List<String> names() {
        List<String> names = new ArrayList<>();
        MEASURED.forEach(each -> names.add(each.name()));
        names.add(KeyBytes.NAME);
        names.add(SimulateBenchmark.NAME);
        return names;
    }

    List<LocalResult> measure() throws Exception {
        ProgressLog progress = new ProgressLog();
        progress.warnIfBusy();
        List<LocalResult> others = new ArrayList<>();
        if (isSelected(KeyBytes.NAME)) {
            others.add(KeyBytes.measure(progress));
        }
        if (isSelected(SimulateBenchmark.NAME)) {
            others.add(SimulateBenchmark.measure(plan, progress));
        }
        JmhRounds rounds = new JmhRounds(plan, progress);
        List<JmhCase> cases = MEASURED.stream().filter(this::isSelected).toList();
        rounds.run(contestants(cases));
        failed = rounds.failed();
        List<LocalResult> rows = new ArrayList<>();
        for (JmhCase each : cases) {
            rows.add(new LocalResult(
                    each.name(),
                    rounds.figure(each.sluice()),
                    each.peers().stream().map(rounds::figure).toList()));
        }
        rows.addAll(others);
        return rows;
    }

    /** Whether a benchmark failed, so that results are missing. */
    boolean failed() {
        return failed;
    }

    private static Set<Contestant> contestants(List<JmhCase> cases) {
        Set<Contestant> contestants = new LinkedHashSet<>();
        cases.forEach(each -> contestants.addAll(each.all()));
        return contestants;
    }

    private boolean isSelected(JmhCase each) {
        // The target of a gate is relative to the clock that it reads, that of these algorithms to the leaky bucket.
        return isSelected(each.name())
                || (each.equals(NANO_TIME) && only.stream().anyMatch(name -> name.startsWith("handle-")))
                || (each.equals(LEAKY_BUCKET) && (only.contains(CALENDAR) || only.contains(WARM_UP)));
    }

    private boolean isSelected(String name) {
        return only.isEmpty() || only.contains(name);
    }
}
