package io.sluice.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.Decision;
import io.sluice.Limit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class ReferenceModelTest {
    private static final long T = 1_700_000_000_000_000L;
    private static final long SECOND = 1_000_000;

    @ParameterizedTest
    @MethodSource("io.sluice.testkit.Vectors#names")
    void check_everyRowOfAVector_matches(String name) {
        Vector vector = Vectors.load(name);
        ReferenceModel model = model(vector.limit());

        assertThat(vector.rows())
                .hasSize(300)
                .allSatisfy(row -> assertThat(model.check(row.key(), row.permits(), row.micros()))
                        .isEqualTo(row.decision()));
    }

    @Test
    void check_unlimited_alwaysAllows() {
        assertThat(model("unlimited").check("k", Long.MAX_VALUE, T))
                .isEqualTo(new Decision(true, Long.MAX_VALUE, 0, 0, 0));
    }

    @ParameterizedTest
    @ValueSource(longs = {0, 1})
    void check_blocked_neverAllows(long permits) {
        assertThat(model("blocked").check("k", permits, T)).isEqualTo(new Decision(false, 0, Decision.NEVER, 0, 0));
    }

    @Test
    void check_negativePermits_throws() {
        assertThatThrownBy(() -> model("1/s").check("k", -1, T))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("permits: -1 (expected: >= 0)");
    }

    @Test
    void check_severalLimits_isTheStrictestInEveryField() {
        ReferenceModel model = ReferenceModel.of(
                Limit.parse("leaky-bucket 10/s capacity 20"), Limit.parse("sliding-log 5 per 1m"), Limit.unlimited());

        assertThat(model.check("k", 4, T)).isEqualTo(new Decision(true, 1, 0, 0, 60 * SECOND));
        assertThat(model.check("k", 1, T)).isEqualTo(new Decision(true, 0, 0, 400_000, 60 * SECOND));
        assertThat(model.check("k", 1, T)).isEqualTo(new Decision(false, 0, 60 * SECOND, 0, 60 * SECOND));
    }

    @Test
    void check_deniedByOneLimit_chargesNoneAndLocksOnlyThatOne() {
        ReferenceModel model = ReferenceModel.of(
                Limit.parse("10/s burst 20 lockout 1s"), Limit.parse("fixed-window 2 per 1s lockout 5s"));

        assertThat(model.check("k", 3, T)).isEqualTo(new Decision(false, 0, Decision.NEVER, 0, 5 * SECOND));
        assertThat(model.check("k", 2, T + 5 * SECOND)).isEqualTo(new Decision(true, 0, 0, 0, SECOND));
    }

    @Test
    void check_timeGoesBack_standsStillSinceTheLatestChange() {
        ReferenceModel model = model("10/s burst 20");
        model.check("k", 10, T + SECOND);

        assertThat(model.check("k", 1, T)).isEqualTo(new Decision(true, 9, 0, 0, 1_100_000));
    }

    @Test
    void check_timeGoesBackAfterALook_doesNotRememberTheLook() {
        ReferenceModel model = model("10/s burst 20");
        model.check("k", 20, T);
        model.check("k", 0, T + SECOND);
        model.check("k", 11, T + SECOND);

        assertThat(model.peek("k", 0, T).remaining()).isZero();
    }

    @Test
    void check_deniedWithoutPermits_startsNoLockout() {
        ReferenceModel model = model("10/s burst 20 lockout 1m");
        model.penalize("k", 25, T);

        assertThat(model.check("k", 0, T)).isEqualTo(new Decision(false, 0, 500_000, 0, 2_500_000, 5, false));
        assertThat(model.check("k", 0, T + 500_000).allowed()).isTrue();
    }

    @Test
    void peek_ofADenial_startsNoLockout() {
        ReferenceModel model = model("10/s burst 20 lockout 1m");
        model.check("k", 20, T);

        assertThat(model.peek("k", 1, T)).isEqualTo(new Decision(false, 0, 100_000, 0, 2 * SECOND));
        assertThat(model.check("k", 1, T + 100_000).allowed()).isTrue();
    }

    @Test
    void peek_allowed_chargesNothing() {
        ReferenceModel model = model("leaky-bucket 10/s capacity 20");
        model.check("k", 5, T);

        assertThat(model.peek("k", 15, T)).isEqualTo(new Decision(true, 15, 0, 500_000, 500_000));
        assertThat(model.peek("k", 15, T)).isEqualTo(new Decision(true, 15, 0, 500_000, 500_000));
    }

    @Test
    void tryAcquire_leakyBucketWithDelay_takesNothingAndStartsNoLockout() {
        ReferenceModel model = model("leaky-bucket 10/s capacity 20 lockout 1m");

        assertThat(model.tryAcquire("k", 20, T)).isTrue();
        assertThat(model.tryAcquire("k", 1, T + SECOND)).isFalse();
        assertThat(model.peek("k", 0, T + SECOND)).isEqualTo(new Decision(true, 10, 0, SECOND, SECOND));
    }

    @Test
    void tryAcquire_denied_startsTheLockout() {
        ReferenceModel model = model("leaky-bucket 10/s capacity 20 lockout 1m");
        model.check("k", 20, T);

        assertThat(model.tryAcquire("k", 1, T)).isFalse();
        assertThat(model.peek("k", 1, T + 2 * SECOND).retryAfterMicros()).isEqualTo(58 * SECOND);
    }

    @Test
    void reset_lockedKey_isFresh() {
        ReferenceModel model = model("10/s burst 20 lockout 1m");
        model.check("k", 21, T);
        model.reset("k");

        assertThat(model.peek("k", 20, T)).isEqualTo(new Decision(true, 20, 0, 0, 0));
    }

    private static ReferenceModel model(String limit) {
        return ReferenceModel.of(Limit.parse(limit));
    }
}
