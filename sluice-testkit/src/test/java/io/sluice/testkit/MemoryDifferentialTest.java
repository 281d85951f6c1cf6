package io.sluice.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.memory.MemoryStore;
import io.sluice.testkit.Differential.Era;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Compares at least a million decisions of the memory store with the model. The message of a failure says how to replay it. */
class MemoryDifferentialTest {
    private static final int TRACES = 190;
    private static final int STEPS = 400;

    static List<String> kinds() {
        return RandomLimits.KINDS;
    }

    @ParameterizedTest
    @MethodSource("kinds")
    void memory_forwardTime_decidesAsTheModel(String kind) {
        assertThat(run(kind, false)).isGreaterThan(75_000);
    }

    @ParameterizedTest
    @MethodSource("kinds")
    void memory_timeThatStepsBack_decidesAsTheModel(String kind) {
        assertThat(run(kind, true)).isGreaterThan(75_000);
    }

    @ParameterizedTest
    @MethodSource("kinds")
    void memory_atTheEndOfTime_decidesAsTheModel(String kind) {
        assertThat(run(kind, false, Era.LATE) + run(kind, true, Era.LATE)).isGreaterThan(75_000);
    }

    private static int run(String kind, boolean backward) {
        return run(kind, backward, Era.TODAY);
    }

    private static int run(String kind, boolean backward, Era era) {
        int decisions = 0;
        for (long seed = 0; seed < (era == Era.LATE ? TRACES / 2 : TRACES); seed++) {
            decisions += Differential.run(
                    seed,
                    kind,
                    backward,
                    era,
                    STEPS,
                    time -> MemoryStore.builder().time(time).build());
        }
        return decisions;
    }
}
