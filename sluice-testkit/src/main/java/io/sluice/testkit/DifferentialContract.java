package io.sluice.testkit;

import io.sluice.testkit.Differential.Era;
import org.junit.jupiter.api.Test;

interface DifferentialContract extends StoreUnderTest {
    /** How many decisions of random traces are compared with the model, at least. Half of them with a time that steps back. */
    default int decisions() {
        return 100_000;
    }

    @Test
    default void randomTraces_forwardTime_areDecidedAsByTheModel() {
        assertAllVerbs(run(false, Era.TODAY, decisions() / 4));
    }

    @Test
    default void randomTraces_timeThatStepsBack_areDecidedAsByTheModel() {
        assertAllVerbs(run(true, Era.TODAY, decisions() / 4));
    }

    @Test
    default void randomTraces_atTheEndOfTime_areDecidedAsByTheModel() {
        run(false, Era.LATE, decisions() / 8);
        run(true, Era.LATE, decisions() / 8);
    }

    @Test
    default void randomTraces_whenClocksAreChanged_areDecidedAsByTheModel() {
        int compared = 0;
        for (long seed = 0; seed == 0 || compared < decisions() / 16; seed++) {
            compared += Differential.run(
                    seed, "calendar", seed % 2 == 1, Era.CLOCK_CHANGE, 100, new TraceCoverage(), this::newStore);
        }
    }

    /** A shorter run than usual does not reach everything. */
    private void assertAllVerbs(TraceCoverage coverage) {
        if (decisions() >= 100_000) {
            coverage.assertAllVerbs();
        }
    }

    private TraceCoverage run(boolean backward, Era era, int least) {
        TraceCoverage coverage = new TraceCoverage();
        RandomTraces.compare(
                least, (seed, kind) -> Differential.run(seed, kind, backward, era, 200, coverage, this::newStore));
        return coverage;
    }
}
