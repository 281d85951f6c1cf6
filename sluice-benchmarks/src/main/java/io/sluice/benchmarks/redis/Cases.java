package io.sluice.benchmarks.redis;

import io.sluice.benchmarks.Progress;
import io.sluice.benchmarks.load.Case;
import io.sluice.benchmarks.load.Pace;
import io.sluice.benchmarks.load.RedisBenchmark;
import io.sluice.benchmarks.load.Rounds;
import io.sluice.benchmarks.load.Row;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/** The run of those cases that were asked for. */
final class Cases {
    static final String KEY_BYTES = "key-bytes";
    static final List<String> NAMES =
            Stream.concat(LineUp.CASES.stream(), Stream.of(KEY_BYTES)).toList();

    private final LineUp lineUp;
    private final Set<String> asked;
    private final Progress progress;
    private final Rounds rounds;
    private boolean failed;

    /** Only the named ones; all, if none is named. */
    Cases(LineUp lineUp, Pace pace, List<String> only, Progress progress) {
        this.lineUp = lineUp;
        this.asked = Set.copyOf(only.isEmpty() ? NAMES : only);
        this.progress = progress;
        this.rounds = new Rounds(pace, progress);
    }

    List<Row> measure() throws InterruptedException {
        List<Row> rows = rounds.rows(cases());
        failed = rounds.failed();
        if (asked.contains(KEY_BYTES)) {
            addKeyBytes(rows);
        }
        return rows;
    }

    private List<Case> cases() {
        List<Case> cases = new ArrayList<>();
        for (String name : LineUp.CASES) {
            if (asked.contains(name)) {
                lineUp.of(name)
                        .ifPresentOrElse(
                                cases::add,
                                () -> progress.say(
                                        name + ": left out, there is no " + RedisBenchmark.NAME + " on the PATH"));
            }
        }
        return cases;
    }

    private void addKeyBytes(List<Row> rows) {
        try {
            rows.add(lineUp.keyBytes(KEY_BYTES));
        } catch (IllegalStateException e) {
            failed = true;
            progress.say(KEY_BYTES + " FAILED: " + e.getMessage());
        }
    }

    /** Whether something is missing in what was measured. */
    boolean failed() {
        return failed;
    }
}
