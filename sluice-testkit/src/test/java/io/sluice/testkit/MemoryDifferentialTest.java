package io.sluice.testkit;

import io.sluice.memory.MemoryStore;
import io.sluice.testkit.Differential.Era;
import org.junit.jupiter.api.Test;

/** Compares at least a million decisions of the memory store with the model. The message of a failure says how to replay it. */
class MemoryDifferentialTest {
    private static final int DECISIONS = Integer.getInteger("sluice.memory.decisions", 1_000_000);

    @Test
    void memory_forwardTime_decidesAsTheModel() {
        assertAllReached(run(false, Era.TODAY, DECISIONS / 3 + 1));
    }

    @Test
    void memory_timeThatStepsBack_decidesAsTheModel() {
        assertAllReached(run(true, Era.TODAY, DECISIONS / 3 + 1));
    }

    @Test
    void memory_atTheEndOfTime_decidesAsTheModel() {
        run(false, Era.LATE, DECISIONS / 6 + 1);
        run(true, Era.LATE, DECISIONS / 6 + 1);
    }

    @Test
    void memory_whenClocksAreChanged_decidesAsTheModel() {
        run(false, Era.CLOCK_CHANGE, DECISIONS / 20 + 1);
        run(true, Era.CLOCK_CHANGE, DECISIONS / 20 + 1);
    }

    /** A shorter run, which {@code sluice.memory.decisions} asks for, does not reach everything. */
    private static void assertAllReached(TraceCoverage coverage) {
        if (DECISIONS >= 1_000_000) {
            coverage.assertAllVerbs();
            coverage.assertAllUpdates();
        }
    }

    private static TraceCoverage run(boolean backward, Era era, int least) {
        TraceCoverage coverage = new TraceCoverage();
        RandomTraces.compare(
                least,
                (seed, kind) -> Differential.run(
                        seed,
                        kind,
                        backward,
                        era,
                        400,
                        coverage,
                        time -> MemoryStore.builder().time(time).build()));
        return coverage;
    }
}
