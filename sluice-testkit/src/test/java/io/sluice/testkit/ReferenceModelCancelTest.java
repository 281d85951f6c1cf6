package io.sluice.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.Decision;
import io.sluice.Limit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ReferenceModelCancelTest {
    private static final long T = 1_700_000_000_000_000L;
    private static final long SECOND = 1_000_000;

    @ParameterizedTest
    @ValueSource(strings = {"10/s burst 20", "10/s burst 20 refill interval", "leaky-bucket 10/s capacity 20"})
    void cancel_bucketWithOlderUse_givesAllBack(String limit) {
        ReferenceModel model = model(limit);
        model.check("k", 20, T);
        ModelReservation hold = model.reserve("k", 5, Long.MAX_VALUE, T);
        model.cancel(hold, T + SECOND); // 25 - 10 are left, and the 5 are the newest of these

        assertThat(model.peek("k", 0, T + SECOND).remaining()).isEqualTo(10);
    }

    @ParameterizedTest
    @ValueSource(strings = {"10/s burst 20", "leaky-bucket 10/s capacity 20"})
    void cancel_bucketWithNewerUse_givesBackWhatTimeHasNot(String limit) {
        ReferenceModel model = model(limit);
        ModelReservation hold = model.reserve("k", 5, 0, T);
        model.check("k", 4, T + 250_000);
        model.cancel(hold, T + 250_000); // 2.5 + 4 - 2.5

        assertThat(model.peek("k", 0, T + 250_000).remaining()).isEqualTo(16);
        assertThat(model.peek("k", 0, T + 250_000).resetAfterMicros()).isEqualTo(400_000);
    }

    @Test
    void cancel_interval_givesBackWhatIsNotRefilled() {
        ReferenceModel model = model("token-bucket 2 per 5s burst 10 refill interval");
        ModelReservation hold = model.reserve("k", 5, 0, T);
        model.check("k", 4, T + 6 * SECOND); // 3 + 4
        model.cancel(hold, T + 6 * SECOND);

        assertThat(model.peek("k", 0, T + 6 * SECOND)).isEqualTo(new Decision(true, 6, 0, 0, 9 * SECOND));
    }

    @Test
    void cancel_twice_givesBackOnce() {
        ReferenceModel model = model("10/s burst 20");
        model.check("k", 10, T);
        ModelReservation hold = model.reserve("k", 5, 0, T);
        model.cancel(hold, T);
        model.cancel(hold, T);

        assertThat(model.peek("k", 0, T).remaining()).isEqualTo(10);
    }

    @Test
    void cancel_notGranted_givesNothingBack() {
        ReferenceModel model = model("10/s burst 20");
        model.check("k", 20, T);
        model.cancel(model.reserve("k", 5, 0, T), T);

        assertThat(model.peek("k", 0, T).remaining()).isZero();
    }

    @ParameterizedTest
    @ValueSource(strings = {"fixed-window 9/s", "fixed-window 9/s from-first"})
    void cancel_fixedWindow_givesBackOnlyInTheWindowThatWasCharged(String limit) {
        ReferenceModel model = model(limit);
        ModelReservation early = model.reserve("k", 5, 0, T);
        ModelReservation late = model.reserve("k", 1, 0, T);
        model.cancel(early, T + 999_999);
        assertThat(model.peek("k", 0, T + 999_999).remaining()).isEqualTo(8);

        model.check("k", 3, T + SECOND);
        model.cancel(late, T + SECOND);
        assertThat(model.peek("k", 0, T + SECOND).remaining()).isEqualTo(6);
    }

    @Test
    void cancel_log_givesBackWhileTheEntryIsInTheWindow() {
        ReferenceModel model = model("sliding-log 9/s");
        ModelReservation early = model.reserve("k", 2, 0, T);
        ModelReservation late = model.reserve("k", 2, 0, T + 1);
        model.check("k", 3, T + 500_000);
        model.cancel(early, T + SECOND);
        assertThat(model.peek("k", 0, T + SECOND).remaining()).isEqualTo(4);

        model.cancel(late, T + SECOND); // from the newest entry, as a refund
        assertThat(model.peek("k", 0, T + SECOND)).isEqualTo(new Decision(true, 6, 0, 0, 500_000));
    }

    @Test
    void cancel_counter_givesBackWhatStillWeighs() {
        ReferenceModel model = model("sliding-counter 7 per 1s slots 4");
        ModelReservation hold = model.reserve("k", 3, 0, T);
        model.check("k", 2, T + 1_125_000);
        model.cancel(hold, T + 1_125_000); // floor(3/2) from the newest slot

        assertThat(model.peek("k", 0, T + 1_125_000).remaining()).isEqualTo(4); // 7 - (1 + 3/2)
    }

    @Test
    void cancel_afterUpdateOfTheSameKind_drainsAtBothRates() {
        ReferenceModel model = model("10/s burst 20");
        ModelReservation hold = model.reserve("k", 8, 0, T);
        model.update(T + 200_000, Limit.parse("1/s burst 20")); // 6 are left
        model.check("k", 9, T + 2_200_000); // 4 + 9
        model.cancel(hold, T + 2_200_000);

        assertThat(model.peek("k", 0, T + 2_200_000).remaining()).isEqualTo(11);
    }

    @Test
    void cancel_afterUpdateToAnotherKind_givesBackWhatWasUnusedThen() {
        ReferenceModel model = model("10/s burst 20");
        ModelReservation hold = model.reserve("k", 8, 0, T);
        model.update(T + 250_000, Limit.parse("sliding-log 20/s")); // 5.5 are left: 6
        model.check("k", 4, T + 300_000);
        model.cancel(hold, T + 300_000);

        assertThat(model.peek("k", 0, T + 300_000).remaining()).isEqualTo(16);
    }

    @Test
    void cancel_afterUpdateToUnlimitedAndBack_givesNothingBack() {
        ReferenceModel model = model("10/s burst 20");
        ModelReservation hold = model.reserve("k", 8, 0, T);
        model.update(T, Limit.unlimited());
        model.update(T, Limit.parse("10/s burst 20"));
        model.check("k", 4, T);
        model.cancel(hold, T);

        assertThat(model.peek("k", 0, T).remaining()).isEqualTo(16);
    }

    private static ReferenceModel model(String limit) {
        return ReferenceModel.of(Limit.parse(limit));
    }
}
