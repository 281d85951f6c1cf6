package io.sluice.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.Decision;
import io.sluice.Limit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ReferenceModelRefundTest {
    private static final long T = 1_700_000_000_000_000L;
    private static final long SECOND = 1_000_000;

    @ParameterizedTest
    @ValueSource(
            strings = {
                "20/s",
                "20/s refill interval",
                "leaky-bucket 20/s",
                "fixed-window 20/s",
                "fixed-window 20/s from-first",
                "sliding-log 20/s",
                "sliding-counter 20/s"
            })
    void refund_moreThanWasUsed_isFreshAndNoMore(String limit) {
        ReferenceModel model = model(limit);
        model.check("k", 5, T + 1);
        model.check("k", 5, T + 2);
        model.refund("k", 7, T + 3);
        assertThat(model.peek("k", 0, T + 3).remaining()).isEqualTo(17);

        model.refund("k", Long.MAX_VALUE, T + 3);
        assertThat(model.peek("k", 20, T + 3)).isEqualTo(new Decision(true, 20, 0, 0, 0));
    }

    @Test
    void refund_everything_forgetsTheTimeToo() {
        ReferenceModel model = model("fixed-window 5 per 1s");
        model.check("k", 5, T + 1_300_000);
        model.refund("k", 5, T + 1_300_000);

        assertThat(model.check("k", 1, T).resetAfterMicros()).isEqualTo(SECOND);
    }

    @Test
    void refund_ofNothing_doesNotMoveTheTime() {
        ReferenceModel model = model("10/s burst 20");
        model.check("k", 20, T);
        model.refund("k", 0, T + SECOND);

        assertThat(model.peek("k", 0, T).remaining()).isZero();
    }

    @Test
    void refund_greedy_givesTokens() {
        ReferenceModel model = model("10/s burst 20");
        model.check("k", 15, T);
        model.refund("k", 4, T + 50_000);

        assertThat(model.peek("k", 0, T + 50_000)).isEqualTo(new Decision(true, 9, 0, 0, 1_050_000));
    }

    @Test
    void refund_interval_keepsTheAnchorUnlessFull() {
        ReferenceModel model = model("token-bucket 2 per 5s burst 10 refill interval");
        model.check("k", 6, T);
        model.refund("k", 1, T + 6 * SECOND);
        assertThat(model.peek("k", 0, T + 6 * SECOND)).isEqualTo(new Decision(true, 7, 0, 0, 9 * SECOND));

        model.refund("k", 3, T + 6 * SECOND);
        assertThat(model.check("k", 1, T + 7 * SECOND)).isEqualTo(new Decision(true, 9, 0, 0, 5 * SECOND));
    }

    @Test
    void refund_fromFirst_forgetsTheWindowAtZero() {
        ReferenceModel model = model("fixed-window 5 per 1s from-first");
        model.check("k", 1, T);
        model.refund("k", 1, T + 300_000);

        assertThat(model.check("k", 1, T + 500_000).resetAfterMicros()).isEqualTo(SECOND);
    }

    @Test
    void refund_inTheNextWindow_givesNothing() {
        ReferenceModel model = model("fixed-window 5 per 1s");
        model.check("k", 5, T);
        model.refund("k", 5, T + SECOND);

        assertThat(model.peek("k", 0, T).remaining()).isZero();
    }

    @Test
    void refund_log_undoesTheNewestFirst() {
        ReferenceModel model = model("sliding-log 5 per 1s");
        model.check("k", 2, T);
        model.check("k", 3, T + 400_000);
        model.refund("k", 4, T + 400_000);

        assertThat(model.peek("k", 0, T + 400_000)).isEqualTo(new Decision(true, 4, 0, 0, 600_000));
    }

    @Test
    void refund_counter_undoesTheNewestSlotFirstAndTheLeavingSlotLast() {
        ReferenceModel model = model("sliding-counter 7 per 1s slots 4");
        model.check("k", 3, T);
        model.check("k", 4, T + 250_000);
        assertThat(model.peek("k", 0, T + 1_125_000).remaining()).isEqualTo(1); // 7 - (4 + 3/2)

        model.refund("k", 5, T + 1_125_000);
        assertThat(model.peek("k", 0, T + 1_125_000)).isEqualTo(new Decision(true, 6, 0, 0, 125_000)); // 7 - 2/2
    }

    @Test
    void refund_locked_keepsTheLock() {
        ReferenceModel model = model("sliding-log 1 per 1s lockout 10s");
        model.check("k", 1, T);
        model.check("k", 1, T);
        model.refund("k", 1, T + SECOND / 2);

        assertThat(model.peek("k", 1, T + SECOND / 2)).isEqualTo(new Decision(false, 0, 9_500_000, 0, 9_500_000));
    }

    private static ReferenceModel model(String limit) {
        return ReferenceModel.of(Limit.parse(limit));
    }
}
