package io.sluice.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.Limit;
import java.util.Arrays;
import org.junit.jupiter.api.Test;

class ReferenceModelUpToTest {
    private static final long NOW = ManualTime.START_MICROS;
    private static final long SECOND = 1_000_000;

    private static ReferenceModel model(String limit, String... more) {
        return ReferenceModel.of(
                Limit.parse(limit), Arrays.stream(more).map(Limit::parse).toArray(Limit[]::new));
    }

    @Test
    void acquireUpTo_takesWhatIsFreeAndAtMostWhatIsAsked() {
        ReferenceModel model = model("1/s burst 5");
        assertThat(model.acquireUpTo("key", 2, NOW)).isEqualTo(2);
        assertThat(model.acquireUpTo("key", 9, NOW)).isEqualTo(3);
        assertThat(model.acquireUpTo("key", 9, NOW + SECOND - 1))
                .as("no part of a permit")
                .isZero();
        assertThat(model.acquireUpTo("key", 9, NOW + SECOND)).isEqualTo(1);
    }

    @Test
    void acquireUpTo_severalLimits_takesTheLeast() {
        assertThat(model("1/s burst 5", "fixed-window 3/s").acquireUpTo("key", 9, NOW))
                .isEqualTo(3);
    }

    @Test
    void acquireUpTo_nothing_locksOutAsADenialOfOnePermit() {
        ReferenceModel model = model("1/s burst 2 lockout 10s");
        assertThat(model.acquireUpTo("key", 0, NOW)).isZero();
        assertThat(model.acquireUpTo("key", 9, NOW)).isEqualTo(2);
        assertThat(model.peek("key", 1, NOW).retryAfterMicros())
                .as("no lockout")
                .isEqualTo(SECOND);
        assertThat(model.acquireUpTo("key", 9, NOW)).isZero();
        assertThat(model.peek("key", 1, NOW).retryAfterMicros()).isEqualTo(10 * SECOND);
    }

    @Test
    void acquireUpTo_leakyBucket_givesOnlyWhatNeedsNoDelay() {
        ReferenceModel model = model("leaky-bucket 1/s capacity 5 lockout 10s");
        assertThat(model.acquireUpTo("key", 2, NOW)).isEqualTo(2);
        assertThat(model.acquireUpTo("key", 2, NOW)).isZero();
        assertThat(model.acquireUpTo("key", 9, NOW + 2 * SECOND))
                .as("a delay is no denial")
                .isEqualTo(5);
    }

    @Test
    void acquireUpTo_debt_takesNothing() {
        ReferenceModel model = model("1/s burst 2");
        model.penalize("key", 5, NOW);
        assertThat(model.acquireUpTo("key", 1, NOW)).isZero();
        assertThat(model.acquireUpTo("key", 9, NOW + 4 * SECOND)).isEqualTo(1);
    }
}
