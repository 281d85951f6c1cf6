package io.sluice.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** A restored store decides like a store that lives on. The message of a failure says how to replay it. */
class SnapshotDifferentialTest {
    private static final int TRACES = 150;
    private static final int STEPS = 200;

    static List<String> kinds() {
        return RandomLimits.KINDS;
    }

    @ParameterizedTest
    @MethodSource("kinds")
    void restored_forwardTime_decidesAsIfItHadLivedOn(String kind) {
        assertThat(run(kind, false)).isGreaterThan(2000);
    }

    @ParameterizedTest
    @MethodSource("kinds")
    void restored_timeThatStepsBack_decidesAsIfItHadLivedOn(String kind) {
        assertThat(run(kind, true)).isGreaterThan(2000);
    }

    private static int run(String kind, boolean backward) {
        int restarts = 0;
        for (long seed = 0; seed < TRACES; seed++) {
            restarts += RestartDifferential.run(seed, kind, backward, STEPS);
        }
        return restarts;
    }
}
