package io.sluice.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.Limit;
import io.sluice.RateLimiter;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

interface UpdateContract extends StoreUnderTest {
    @ParameterizedTest
    @ValueSource(
            strings = {
                "%d per 1000s", "token-bucket %d per 1000s refill interval", "leaky-bucket %d per 1000s",
                "fixed-window %d per 1000s", "fixed-window %d per 1000s from-first", "sliding-log %d per 1000s",
                "sliding-counter %d per 1000s"
            })
    default void update_eightyOfHundredUsed_staysUsed(String text) {
        ManualTime time = ManualTime.forwardOnly(ManualTime.START_MICROS);
        RateLimiter limiter = newLimiter(time, String.format(text, 100));
        limiter.check("key", 80);

        limiter.update(Limit.parse(String.format(text, 50)));
        assertThat(limiter.limits()).containsExactly(Limit.parse(String.format(text, 50)));
        assertThat(limiter.check("key", 1).allowed()).as("80 used, of 50").isFalse();
        assertThat(limiter.peek("key").remaining()).isZero();
        assertThat(limiter.check("other", 50).allowed())
                .as("a key that is not known")
                .isTrue();

        limiter.update(Limit.parse(String.format(text, 200)));
        assertThat(limiter.peek("key").remaining()).isEqualTo(120);
    }

    @Test
    default void update_toLessThanIsUsed_allowsNothingUntilUseFallsBelow() {
        ManualTime time = ManualTime.forwardOnly(ManualTime.START_MICROS);
        RateLimiter limiter = newLimiter(time, "100 per 100s");
        limiter.check("key", 80);
        limiter.update(Limit.parse("50 per 50s"));
        time.advance(Duration.ofSeconds(31).minusNanos(1000));
        assertThat(limiter.tryAcquire("key")).isFalse();
        time.advanceMicros(1);
        assertThat(limiter.tryAcquire("key")).isTrue();
        assertThat(limiter.tryAcquire("key")).isFalse();
    }

    @Test
    default void update_longAfterTheLastUse_isAsOfTheUpdate() {
        ManualTime time = ManualTime.forwardOnly(ManualTime.START_MICROS);
        RateLimiter limiter = newLimiter(time, "100 per 100s");
        limiter.check("key", 100);
        time.advance(Duration.ofSeconds(10));
        limiter.update(Limit.parse("1 per 100s burst 100"));
        time.advance(Duration.ofSeconds(1000));
        assertThat(limiter.peek("key").remaining())
                .as("10 at the old rate, 10 at the new one")
                .isEqualTo(20);
    }

    @Test
    default void update_whileLockedOut_keepsTheLock() {
        ManualTime time = new ManualTime();
        RateLimiter limiter = newLimiter(time, "sliding-log 1/s lockout 1m");
        limiter.check("key", 2);
        limiter.update(Limit.parse("100/s lockout 5m"));
        assertThat(limiter.peek("key", 1).retryAfter()).isEqualTo(Duration.ofMinutes(1));
        limiter.update(Limit.parse("100/s"));
        assertThat(limiter.peek("key", 1).retryAfter())
                .as("under a limit without a lockout")
                .isEqualTo(Duration.ofMinutes(1));
        assertThat(limiter.tryAcquire("key")).isFalse();
        time.advance(Duration.ofMinutes(1));
        assertThat(limiter.tryAcquire("key", 100)).isTrue();
    }

    @Test
    default void update_limitThatStays_keepsItsOwnUse() {
        ManualTime time = ManualTime.forwardOnly(ManualTime.START_MICROS);
        RateLimiter limiter = newStore(time).limiter("limiter", Limit.parse("1000/h"), Limit.parse("10/s"));
        for (int i = 0; i < 80; i++) {
            limiter.check("key", 10);
            time.advance(Duration.ofSeconds(1));
        }
        limiter.update(Limit.parse("10/s"));
        assertThat(limiter.peek("key").remaining()).isEqualTo(10);
        limiter.update(Limit.parse("20/s"), Limit.parse("10/s"));
        assertThat(limiter.limits()).containsExactly(Limit.parse("20/s"), Limit.parse("10/s"));
        assertThat(limiter.check("key", 10).allowed()).isTrue();
    }

    @Test
    default void update_afterAnotherOrder_takesOverInTheLatestOrder() {
        ManualTime time = ManualTime.forwardOnly(ManualTime.START_MICROS);
        Limit perSecond = Limit.parse("fixed-window 10/s");
        RateLimiter limiter =
                newStore(time).limiter("limiter", Limit.parse("fixed-window 1000/d from-first"), perSecond);
        for (int i = 0; i < 80; i++) {
            limiter.check("key", 10);
            time.advance(Duration.ofSeconds(1));
        }
        limiter.update(perSecond, Limit.parse("fixed-window 2000/d from-first"));
        limiter.update(Limit.parse("fixed-window 5000/s"), Limit.parse("fixed-window 3000/d from-first"));
        assertThat(limiter.peek("key").remaining()).as("800 used, of 3000").isEqualTo(2200);
    }

    @Test
    default void update_moreOrFewerLimits_keepsTheUseOfARate() {
        RateLimiter limiter = newLimiter(new ManualTime(), "fixed-window 10/d");
        limiter.check("key", 8);
        limiter.update(Limit.parse("concurrency 5"), Limit.parse("fixed-window 11/d"));
        assertThat(limiter.peek("key").remaining())
                .as("behind a limit of concurrency that is new")
                .isEqualTo(3);
        limiter.update(Limit.unlimited(), Limit.parse("fixed-window 12/d"));
        assertThat(limiter.peek("key").remaining()).isEqualTo(4);
        limiter.update(Limit.parse("fixed-window 13/d"));
        assertThat(limiter.peek("key").remaining())
                .as("without the unlimited one before it")
                .isEqualTo(5);
    }

    @Test
    default void update_handleOfTheKey_followsAtOnce() {
        ManualTime time = ManualTime.forwardOnly(ManualTime.START_MICROS);
        RateLimiter limiter = newLimiter(time, "10/d");
        var gate = limiter.forKey("key");
        assertThat(gate.tryAcquire(4)).isTrue();
        limiter.update(Limit.parse("sliding-log 5/d"));
        assertThat(gate.tryAcquire()).isTrue();
        assertThat(gate.tryAcquire()).isFalse();
        limiter.update(Limit.unlimited());
        assertThat(gate.tryAcquire(1000)).isTrue();
        limiter.update(Limit.blocked());
        assertThat(gate.tryAcquire()).isFalse();
    }
}
