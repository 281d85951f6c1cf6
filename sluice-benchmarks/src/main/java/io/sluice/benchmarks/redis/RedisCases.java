package io.sluice.benchmarks.redis;

import io.sluice.benchmarks.common.ProgressLog;
import io.sluice.benchmarks.load.Case;
import io.sluice.benchmarks.load.CaseResult;
import io.sluice.benchmarks.load.LoadPlan;
import io.sluice.benchmarks.load.RedisBenchmark;
import io.sluice.benchmarks.load.Rounds;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/** Runs the selected Redis cases. */
final class RedisCases {
    static final String KEY_BYTES = "key-bytes";
    static final List<String> NAMES =
            Stream.concat(RedisContestants.CASES.stream(), Stream.of(KEY_BYTES)).toList();

    private final RedisContestants lineUp;
    private final Set<String> selected;
    private final ProgressLog progress;
    private final Rounds rounds;
    private boolean failed;

    /** Selects the named cases; all cases if no name is given. */
    RedisCases(RedisContestants lineUp, LoadPlan plan, List<String> only, ProgressLog progress) {
        this.lineUp = lineUp;
        this.selected = Set.copyOf(only.isEmpty() ? NAMES : only);
        this.progress = progress;
        this.rounds = new Rounds(plan, progress);
    }

    List<CaseResult> measure() throws InterruptedException {
        List<CaseResult> rows = rounds.rows(cases());
        failed = rounds.failed();
        if (selected.contains(KEY_BYTES)) {
            addKeyBytes(rows);
        }
        return rows;
    }

    private List<Case> cases() {
        List<Case> cases = new ArrayList<>();
        for (String name : RedisContestants.CASES) {
            if (selected.contains(name)) {
                lineUp.of(name)
                        .ifPresentOrElse(
                                cases::add,
                                () -> progress.log(name + ": skipped, " + RedisBenchmark.NAME + " is not on the PATH"));
            }
        }
        return cases;
    }

    private void addKeyBytes(List<CaseResult> rows) {
        try {
            rows.add(lineUp.keyBytes(KEY_BYTES));
        } catch (IllegalStateException e) {
            failed = true;
            progress.log(KEY_BYTES + " FAILED: " + e.getMessage());
        }
    }

    /** Whether a benchmark failed, so that results are missing. */
    boolean failed() {
        return failed;
    }
}
