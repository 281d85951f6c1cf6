package io.sluice.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.Decision;
import io.sluice.Limit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ReferenceModelReserveTest {
    private static final long T = 1_700_000_000_000_000L;
    private static final long SECOND = 1_000_000;

    @ParameterizedTest
    @CsvSource({
        "10/s burst 20, 500000, 2500000",
        "10/s burst 20 refill interval, 1000000, 3000000",
        "leaky-bucket 10/s capacity 20, 2000000, 2500000"
    })
    void reserve_emptyBucket_lends(String limit, long delay, long resetAfter) {
        ReferenceModel model = model(limit);
        model.check("k", 20, T);
        ModelReservation hold = model.reserve("k", 5, delay, T);

        assertThat(hold.granted()).isTrue();
        assertThat(hold.delayMicros()).isEqualTo(delay);
        assertThat(hold.retryAfterMicros()).isZero();
        assertThat(model.peek("k", 0, T).resetAfterMicros()).isEqualTo(resetAfter);
    }

    @Test
    void reserve_longerThanAtMost_takesNothingAndStartsNoLockout() {
        ReferenceModel model = model("10/s burst 20 lockout 1m");
        model.check("k", 20, T);
        ModelReservation hold = model.reserve("k", 5, 499_999, T);

        assertThat(hold.granted()).isFalse();
        assertThat(hold.delayMicros()).isZero();
        assertThat(hold.retryAfterMicros()).isEqualTo(500_000);
        assertThat(model.peek("k", 0, T)).isEqualTo(new Decision(true, 0, 0, 0, 2 * SECOND));
    }

    @ParameterizedTest
    @ValueSource(strings = {"10/s burst 20", "leaky-bucket 10/s capacity 20", "sliding-log 20/s", "blocked"})
    void reserve_moreThanEver_isNeverGranted(String limit) {
        ModelReservation hold = model(limit).reserve("k", 21, Long.MAX_VALUE, T);

        assertThat(hold.granted()).isFalse();
        assertThat(hold.retryAfterMicros()).isEqualTo(Decision.NEVER);
    }

    @Test
    void reserve_unlimited_isGranted() {
        assertThat(model("unlimited").reserve("k", Long.MAX_VALUE, 0, T).granted())
                .isTrue();
    }

    @ParameterizedTest
    @ValueSource(strings = {"fixed-window 5/s", "sliding-log 5/s"})
    void reserve_window_givesOnlyWhatIsThere(String limit) {
        ReferenceModel model = model(limit);

        assertThat(model.reserve("k", 3, Long.MAX_VALUE, T).granted()).isTrue();
        assertThat(model.reserve("k", 3, Long.MAX_VALUE, T).retryAfterMicros()).isEqualTo(SECOND);
        assertThat(model.peek("k", 0, T).remaining()).isEqualTo(2);
    }

    @Test
    void reserve_bucketBesideAWindow_lendsNothing() {
        ReferenceModel model = ReferenceModel.of(Limit.parse("10/s burst 20"), Limit.parse("fixed-window 100/s"));
        model.check("k", 20, T);

        assertThat(model.reserve("k", 1, Long.MAX_VALUE, T).granted()).isFalse();
    }

    @Test
    void reserve_severalBuckets_waitsForTheSlowest() {
        ReferenceModel model =
                ReferenceModel.of(Limit.parse("10/s burst 20"), Limit.parse("leaky-bucket 1/s capacity 20"));
        model.check("k", 20, T);

        assertThat(model.reserve("k", 1, Long.MAX_VALUE, T).delayMicros()).isEqualTo(20 * SECOND);
    }

    @Test
    void reserve_locked_waitsForTheLockToo() {
        ReferenceModel model = model("10/s burst 20 lockout 2s");
        model.check("k", 21, T);

        assertThat(model.reserve("k", 1, Long.MAX_VALUE, T + SECOND).delayMicros())
                .isEqualTo(SECOND);
        assertThat(model.check("k", 1, T + SECOND).retryAfterMicros()).isEqualTo(SECOND);
    }

    @Test
    void reserve_beyondTheMost_isNotGranted() {
        ReferenceModel model = model("10/s burst 20");
        model.penalize("k", 45_035_996_273L - 5, T);

        assertThat(model.reserve("k", 6, Long.MAX_VALUE, T).granted()).isFalse();
        assertThat(model.reserve("k", 5, Long.MAX_VALUE, T).granted()).isTrue();
    }

    private static ReferenceModel model(String limit) {
        return ReferenceModel.of(Limit.parse(limit));
    }
}
