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
        run(false, Era.TODAY, decisions() / 4);
    }

    @Test
    default void randomTraces_timeThatStepsBack_areDecidedAsByTheModel() {
        run(true, Era.TODAY, decisions() / 4);
    }

    @Test
    default void randomTraces_atTheEndOfTime_areDecidedAsByTheModel() {
        run(false, Era.LATE, decisions() / 8);
        run(true, Era.LATE, decisions() / 8);
    }

    private void run(boolean backward, Era era, int least) {
        RandomTraces.compare(least, (seed, kind) -> Differential.run(seed, kind, backward, era, 200, this::newStore));
    }
}
