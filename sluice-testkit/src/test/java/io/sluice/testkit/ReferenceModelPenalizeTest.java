package io.sluice.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.Decision;
import io.sluice.Limit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ReferenceModelPenalizeTest {
    private static final long T = 1_700_000_000_000_000L;
    private static final long SECOND = 1_000_000;

    @ParameterizedTest
    @CsvSource({
        "10/s burst 20,                     600000, 2500000",
        "10/s burst 20 refill interval,     1000000, 3000000",
        "leaky-bucket 10/s capacity 20,     600000, 2500000",
        "fixed-window 20/s,                 1000000, 1000000",
        "fixed-window 20/s from-first,      1000000, 1000000",
        "sliding-log 20/s,                  1000000, 1000000",
        "sliding-counter 20/s slots 1,      1240000, 2000000" // 25 weighs 19 when 6/25 of the next slot have passed
    })
    void penalize_moreThanThereIs_leavesADebt(String limit, long retryAfter, long resetAfter) {
        ReferenceModel model = model(limit);
        model.penalize("k", 25, T);

        assertThat(model.check("k", 1, T)).isEqualTo(new Decision(false, 0, retryAfter, 0, resetAfter, 5, false));
        assertThat(model.check("k", 0, T).allowed()).isFalse();
    }

    @Test
    void penalize_interval_anchorsAFreshBucketAndNoOther() {
        ReferenceModel model = model("token-bucket 2 per 5s burst 10 refill interval");
        model.penalize("k", 1, T);
        model.penalize("k", 1, T + 3 * SECOND);

        assertThat(model.peek("k", 0, T + 3 * SECOND)).isEqualTo(new Decision(true, 8, 0, 0, 2 * SECOND));
    }

    @Test
    void penalize_greedy_saturates() {
        ReferenceModel model = model("10/s burst 20");
        long most = 45_035_996_273L; // floor(2^52 * 10 / 1s)
        model.penalize("k", Long.MAX_VALUE, T);
        assertThat(model.peek("k", 0, T).resetAfterMicros()).isEqualTo(most * 100_000);

        model.penalize("k", 1, T + 50_000);
        assertThat(model.peek("k", 0, T + 50_000).resetAfterMicros()).isEqualTo(most * 100_000 - 50_000);

        model.penalize("k", 5, T + 100_000);
        assertThat(model.peek("k", 0, T + 100_000).resetAfterMicros()).isEqualTo(most * 100_000);
    }

    @Test
    void penalize_interval_saturates() {
        ReferenceModel model = model("token-bucket 3 per 5s refill interval");
        model.penalize("k", Long.MAX_VALUE, T);

        assertThat(model.peek("k", 0, T).resetAfterMicros()).isEqualTo((1L << 52) / 5_000_000 * 5_000_000);
    }

    @ParameterizedTest
    @CsvSource({"fixed-window 5/s", "sliding-log 5/s", "sliding-counter 5/s"})
    void penalize_window_saturates(String limit) {
        ReferenceModel model = model(limit);
        model.penalize("k", 3, T);
        model.penalize("k", Long.MAX_VALUE, T);
        model.refund("k", (1L << 50) - 1, T);

        assertThat(model.peek("k", 0, T).remaining()).isEqualTo(4);
    }

    @Test
    void penalize_counter_saturatesByWhatItHoldsNotByTheEstimate() {
        ReferenceModel model = model("sliding-counter 5/s slots 4");
        model.penalize("k", 1L << 50, T);
        model.penalize("k", 1, T + 1_125_000);

        assertThat(model.peek("k", 0, T + 1_125_000).resetAfterMicros()).isEqualTo(125_000);
    }

    @Test
    void penalize_locked_keepsTheLock() {
        ReferenceModel model = model("10/s burst 20 lockout 1s");
        model.check("k", 21, T);
        model.penalize("k", 25, T);

        assertThat(model.peek("k", 0, T)).isEqualTo(new Decision(false, 0, SECOND, 0, 2_500_000, 5, false));
        assertThat(model.check("k", 1, T + SECOND).allowed()).isTrue();
    }

    private static ReferenceModel model(String limit) {
        return ReferenceModel.of(Limit.parse(limit));
    }
}
