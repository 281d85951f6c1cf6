package io.sluice.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.testkit.Differential.Era;
import org.junit.jupiter.api.Test;

interface DifferentialContract extends StoreUnderTest {
    /** The number of random traces for each kind of limit. Each trace has 200 steps with two decisions. */
    default int traces() {
        return 10;
    }

    @Test
    default void randomTraces_forwardTime_areDecidedAsByTheModel() {
        assertThat(run(false, Era.TODAY)).isPositive();
    }

    @Test
    default void randomTraces_timeThatStepsBack_areDecidedAsByTheModel() {
        assertThat(run(true, Era.TODAY)).isPositive();
    }

    @Test
    default void randomTraces_atTheEndOfTime_areDecidedAsByTheModel() {
        assertThat(run(false, Era.LATE)).isPositive();
        assertThat(run(true, Era.LATE)).isPositive();
    }

    private int run(boolean backward, Era era) {
        int steps = 0;
        for (String kind : RandomLimits.KINDS) {
            for (long seed = 0; seed < traces(); seed++) {
                steps += Differential.run(seed, kind, backward, era, 200, this::newStore);
            }
        }
        return steps;
    }
}
