package io.sluice.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.Decision;
import io.sluice.Limit;
import io.sluice.testkit.usage.Usage;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ReferenceModelUpdateTest {
    private static final long T = 1_699_999_980_000_000L; // a whole minute
    private static final long SECOND = 1_000_000;

    @ParameterizedTest
    @CsvSource({
        "%d/min, 37200000", // 31 permits at 50/min
        "%d/min refill interval, 60000000",
        "leaky-bucket %d/min, 37200000",
        "fixed-window %d/min, 60000000",
        "fixed-window %d/min from-first, 60000000",
        "sliding-log %d/min, 60000000",
        "sliding-counter %d/min, 62325000" // 31/80 of the 6s in which the slot of T slides out
    })
    void update_with80Of100Used_carriesThe80(String limit, long retryAfter) {
        ReferenceModel model = model(limit.formatted(100));
        model.check("k", 80, T);
        model.update(T, Limit.parse(limit.formatted(50)));
        Decision cut = model.peek("k", 1, T);
        assertThat(cut.allowed()).isFalse();
        assertThat(cut.remaining()).isZero();
        assertThat(cut.retryAfterMicros()).isEqualTo(retryAfter);
        assertThat(model.peek("k", 1, T + retryAfter).allowed()).isTrue();

        model.update(T, Limit.parse(limit.formatted(200)));
        assertThat(model.peek("k", 120, T).allowed()).isTrue();
        assertThat(model.peek("k", 121, T).allowed()).isFalse();
        assertThat(model.peek("k", 0, T).remaining()).isEqualTo(120);
    }

    @Test
    void update_bucket_roundsUseUpToTheNewUnit() {
        Usage use = Usage.fresh(Limit.parse("10/s")).plus(1, T);
        Usage carried = use.convertTo(Limit.parse("4 per 3s"), T + 1); // 0.99999 in parts of 1/750000

        assertThat(carried.at(T + 1).numerator()).isEqualTo(749_993); // 749992.5
        assertThat(carried.at(T + 1).denominator()).isEqualTo(750_000);
    }

    @ParameterizedTest
    @CsvSource({
        "leaky-bucket 10/s capacity 20, 300000",
        "10/s burst 20 refill interval, 1000000",
        "fixed-window 20/s, 750000",
        "fixed-window 20/s from-first, 1000000",
        "sliding-log 20/s, 1000000",
        "sliding-counter 20/s slots 4, 1250000"
    })
    void update_toAnotherKind_carriesUseAsOneEntryMadeNow(String next, long resetAfter) {
        ReferenceModel model = model("10/s burst 20");
        model.check("k", 5, T);
        model.update(T + 250_000, Limit.parse(next)); // 2.5 are left: 3

        assertThat(model.peek("k", 0, T + 250_000).remaining()).isEqualTo(17);
        assertThat(model.peek("k", 0, T + 250_000).resetAfterMicros()).isEqualTo(resetAfter);
    }

    @Test
    void update_intervalWithTheSamePeriod_keepsTheAnchor() {
        ReferenceModel model = model("token-bucket 2 per 5s burst 10 refill interval");
        model.check("k", 3, T);
        model.update(T + SECOND, Limit.parse("token-bucket 1 per 5s burst 10 refill interval"));
        assertThat(model.peek("k", 0, T + SECOND)).isEqualTo(new Decision(true, 7, 0, 0, 14 * SECOND));

        model.update(T + 2 * SECOND, Limit.parse("token-bucket 1 per 6s burst 10 refill interval"));
        assertThat(model.peek("k", 0, T + 2 * SECOND)).isEqualTo(new Decision(true, 7, 0, 0, 18 * SECOND));
    }

    @Test
    void update_fixedWindow_keepsTheWindowOnlyIfItIsAsLong() {
        ReferenceModel model = model("fixed-window 9 per 10s from-first");
        model.check("k", 3, T + 500_000);
        model.update(T + SECOND, Limit.parse("fixed-window 8 per 10s from-first"));
        assertThat(model.peek("k", 0, T + SECOND)).isEqualTo(new Decision(true, 5, 0, 0, 9_500_000));

        model.update(T + 2 * SECOND, Limit.parse("fixed-window 8 per 10s"));
        assertThat(model.peek("k", 0, T + 2 * SECOND)).isEqualTo(new Decision(true, 5, 0, 0, 8 * SECOND));

        model.update(T + 3 * SECOND, Limit.parse("fixed-window 8 per 20s from-first"));
        assertThat(model.peek("k", 0, T + 3 * SECOND)).isEqualTo(new Decision(true, 5, 0, 0, 20 * SECOND));
    }

    @Test
    void update_log_keepsTheEntriesOnlyIfTheWindowIsAsLong() {
        ReferenceModel model = model("sliding-log 9 per 10s");
        model.check("k", 1, T);
        model.check("k", 2, T + SECOND);
        model.update(T + SECOND, Limit.parse("sliding-log 8 per 10s"));
        assertThat(model.peek("k", 6, T + SECOND).retryAfterMicros()).isEqualTo(9 * SECOND);

        model.update(T + SECOND, Limit.parse("sliding-log 8 per 20s"));
        assertThat(model.peek("k", 6, T + SECOND).retryAfterMicros()).isEqualTo(20 * SECOND);
    }

    @Test
    void update_counter_keepsTheSlotsOnlyIfTheyAreAsMany() {
        ReferenceModel model = model("sliding-counter 9 per 10s slots 10");
        model.check("k", 1, T);
        model.check("k", 2, T + SECOND);
        model.update(T + SECOND, Limit.parse("sliding-counter 8 per 10s slots 10"));
        assertThat(model.peek("k", 6, T + SECOND).retryAfterMicros()).isEqualTo(10 * SECOND);

        model.update(T + SECOND, Limit.parse("sliding-counter 8 per 10s slots 5"));
        assertThat(model.peek("k", 8, T + SECOND).retryAfterMicros()).isEqualTo(11 * SECOND);
    }

    @Test
    void update_locked_keepsTheLock() {
        ReferenceModel model = model("10/s burst 20 lockout 5s");
        model.check("k", 21, T);
        model.update(T + SECOND, Limit.parse("sliding-log 20/s lockout 1s"));
        assertThat(model.peek("k", 1, T + SECOND)).isEqualTo(new Decision(false, 0, 4 * SECOND, 0, 4 * SECOND));

        model.update(T + SECOND, Limit.parse("sliding-log 20/s"));
        assertThat(model.peek("k", 1, T + SECOND))
                .as("under a limit without a lockout")
                .isEqualTo(new Decision(false, 0, 4 * SECOND, 0, 4 * SECOND));
    }

    @ParameterizedTest
    @CsvSource({"unlimited", "blocked"})
    void update_toWhatKeepsNoState_forgets(String between) {
        ReferenceModel model = model("10/s burst 20");
        model.check("k", 20, T);
        model.update(T, Limit.parse(between));
        model.update(T, Limit.parse("10/s burst 20"));

        assertThat(model.peek("k", 20, T)).isEqualTo(new Decision(true, 20, 0, 0, 0));
    }

    @Test
    void update_moreThanTheNewLimitHolds_saturates() {
        ReferenceModel model = model("1000000/s");
        model.penalize("k", Long.MAX_VALUE, T);
        model.update(T, Limit.parse("10/s"));
        assertThat(model.peek("k", 0, T).resetAfterMicros()).isEqualTo(45_035_996_273L * 100_000);

        model.update(T, Limit.parse("1000000/s"));
        assertThat(model.peek("k", 0, T).resetAfterMicros()).isEqualTo(45_035_996_273L);
    }

    @Test
    void update_freshKey_forgetsItsTime() {
        ReferenceModel model = model("fixed-window 5 per 1s");
        model.check("k", 1, T + 300_000);
        model.update(T + SECOND, Limit.parse("fixed-window 6 per 1s"));

        assertThat(model.check("k", 1, T).resetAfterMicros()).isEqualTo(SECOND);
    }

    @Test
    void update_anotherNumberOfLimits_takesOverWhatCountsAlike() {
        ReferenceModel model = model("fixed-window 10/d");
        model.check("k", 8, T);
        model.update(T, Limit.parse("concurrency 5"), Limit.parse("fixed-window 11/d"));
        assertThat(model.peek("k", 0, T).remaining()).isEqualTo(3);
        model.update(T, Limit.unlimited(), Limit.parse("fixed-window 12/d"));
        assertThat(model.peek("k", 0, T).remaining()).isEqualTo(4);
        model.update(T, Limit.parse("fixed-window 13/d"));
        assertThat(model.peek("k", 0, T).remaining()).isEqualTo(5);
    }

    private static ReferenceModel model(String limit) {
        return ReferenceModel.of(Limit.parse(limit));
    }
}
