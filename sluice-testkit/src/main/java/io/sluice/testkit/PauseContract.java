package io.sluice.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.Decision;
import io.sluice.Limit;
import io.sluice.RateLimiter;
import io.sluice.Reservation;
import io.sluice.spi.PolicyStore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The contract of pauses: a paused key is denied and its waiters wait, whatever its limits say. */
@Timeout(60)
interface PauseContract extends StoreUnderTest {
    Duration MINUTE = Duration.ofMinutes(1);

    @ParameterizedTest
    @ValueSource(
            strings = {
                "10/s",
                "10/s refill interval",
                "10/s lockout 1h",
                "leaky-bucket 10/s",
                "fixed-window 10/s",
                "fixed-window 10/s from-first",
                "sliding-log 10/s",
                "sliding-counter 10/s",
                "unlimited"
            })
    default void pause_anyLimit_deniesUntilThen(String limit) {
        ManualTime time = new ManualTime();
        RateLimiter limiter = newLimiter(time, limit);
        limiter.check("key", 1);
        limiter.pause("key", MINUTE);
        time.advance(Duration.ofSeconds(59));
        Decision decision = limiter.check("key", 1);
        assertThat(decision.allowed()).isFalse();
        assertThat(decision.remaining()).isZero();
        assertThat(decision.retryAfter()).isEqualTo(Duration.ofSeconds(1));
        assertThat(decision.resetAfter()).isEqualTo(Duration.ofSeconds(1));
        assertThat(limiter.tryAcquire("key")).isFalse();
        assertThat(limiter.forKey("key").tryAcquire()).isFalse();
        assertThat(limiter.peek("key", 0).allowed()).as("a look").isFalse();
        assertThat(limiter.tryAcquire("other")).as("another key").isTrue();
        time.advance(Duration.ofSeconds(1).minusNanos(1000));
        assertThat(limiter.tryAcquire("key")).as("a microsecond early").isFalse();
        time.advanceMicros(1);
        assertThat(limiter.tryAcquire("key")).as("over, and no lockout").isTrue();
    }

    @Test
    default void pause_gateWithACachedBucket_deniesToo() {
        ManualTime time = ManualTime.forwardOnly(ManualTime.START_MICROS);
        RateLimiter limiter = newLimiter(time, "10/s");
        var gate = limiter.forKey("key");
        assertThat(gate.tryAcquire()).isTrue();
        assertThat(gate.tryAcquire()).isTrue();
        gate.pause(MINUTE);
        assertThat(gate.tryAcquire()).isFalse();
        assertThat(gate.check().retryAfter()).isEqualTo(MINUTE);
        time.advance(MINUTE);
        assertThat(gate.tryAcquire()).isTrue();
    }

    @Test
    default void pause_shorterThanTheCurrentOne_changesNothing() {
        ManualTime time = new ManualTime();
        RateLimiter limiter = newLimiter(time, "10/s");
        limiter.pause("key", MINUTE);
        limiter.pause("key", Duration.ofSeconds(1));
        limiter.pause("key", Duration.ZERO);
        assertThat(limiter.check("key", 1).retryAfter()).isEqualTo(MINUTE);
        limiter.pause("key", MINUTE.multipliedBy(2));
        assertThat(limiter.check("key", 1).retryAfter()).isEqualTo(MINUTE.multipliedBy(2));
    }

    @ParameterizedTest
    @ValueSource(strings = {"10/s", "sliding-log 10/s lockout 1h", "unlimited"})
    default void reset_pausedKey_endsThePause(String limit) {
        RateLimiter limiter = newLimiter(new ManualTime(), limit);
        limiter.pause("key", MINUTE);
        limiter.refund("key", 10);
        assertThat(limiter.tryAcquire("key")).as("a refund does not").isFalse();
        limiter.reset("key");
        assertThat(limiter.tryAcquire("key")).isTrue();
    }

    @Test
    default void update_pausedKey_staysPaused() {
        ManualTime time = new ManualTime();
        RateLimiter limiter = newLimiter(time, "10/s");
        limiter.pause("key", MINUTE);
        for (String next :
                List.of("20/s", "sliding-log 5 per 1m", "unlimited", "blocked", "unlimited", "leaky-bucket 1/s")) {
            limiter.update(Limit.parse(next));
            time.advance(Duration.ofSeconds(1));
            assertThat(limiter.tryAcquire("key")).as(next).isFalse();
        }
        assertThat(limiter.check("key", 1).retryAfter()).isEqualTo(Duration.ofSeconds(54));
        time.advance(Duration.ofSeconds(54));
        assertThat(limiter.tryAcquire("key")).isTrue();
    }

    @ParameterizedTest
    @ValueSource(strings = {"10/s", "leaky-bucket 10/s", "unlimited"})
    default void reserve_pausedKey_isNotGranted(String limit) {
        RateLimiter limiter = newLimiter(new ManualTime(), limit);
        limiter.pause("key", MINUTE);
        Reservation reservation = limiter.reserve("key", 1);
        assertThat(reservation.granted()).isFalse();
        assertThat(reservation.retryAfter()).isEqualTo(MINUTE);
    }

    @Test
    default void decide_withAPausedKey_takesNothing() {
        PolicyStore store = newStore(new ManualTime());
        RateLimiter paused = store.limiter("paused", Limit.parse("10/s"));
        RateLimiter other = store.limiter("other", Limit.parse("10/s"));
        paused.check("key", 1);
        paused.pause("key", MINUTE);
        assertThat(store.decide(List.of(other.charge("key", 1), paused.charge("key", 1)))
                        .allowed())
                .isFalse();
        assertThat(other.peek("key").remaining()).isEqualTo(10);
    }

    @ParameterizedTest
    @ValueSource(strings = {"1/s", "leaky-bucket 1/s", "sliding-log 1/s", "fixed-window 1/s from-first"})
    default void pause_whileOthersWait_theyWaitUntilThenAndKeepTheirOrderAndDistance(String limit) throws Exception {
        ManualTime time = new ManualTime();
        RateLimiter limiter = newLimiter(time, limit);
        limiter.acquire("key");
        List<CompletableFuture<Void>> waiters = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            waiters.add(limiter.acquireAsync("key", 1).toCompletableFuture());
        }
        limiter.pause("key", MINUTE);
        waiters.add(limiter.acquireAsync("key", 1).toCompletableFuture());
        for (int i = 0; i < 59; i++) {
            time.advance(Duration.ofSeconds(1));
            limiter.peek("key");
        }
        waiters.forEach(waiter -> assertThat(waiter).as("paused").isNotDone());
        for (int i = 0; i < waiters.size(); i++) {
            time.advance(Duration.ofSeconds(1));
            waiters.get(i).get();
            limiter.peek("key");
            for (CompletableFuture<Void> later : waiters.subList(i + 1, waiters.size())) {
                assertThat(later).as("after the %s. second", i + 1).isNotDone();
            }
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"1/s", "leaky-bucket 1/s", "sliding-log 1/s"})
    default void pause_beyondTheTimeout_endsTheWait(String limit) throws Exception {
        ManualTime time = new ManualTime();
        RateLimiter limiter = newLimiter(time, limit);
        limiter.acquire("key");
        CompletableFuture<Boolean> before =
                limiter.tryAcquireAsync("key", 1, Duration.ofSeconds(30)).toCompletableFuture();
        limiter.pause("key", MINUTE);
        assertThat(limiter.tryAcquire("key", 1, Duration.ofSeconds(30)))
                .as("at once")
                .isFalse();
        time.advance(Duration.ofSeconds(1));
        time.advance(Duration.ofSeconds(29));
        assertThat(before.get()).isFalse();
        time.advance(Duration.ofSeconds(30));
        assertThat(limiter.tryAcquire("key")).as("nothing was lost").isTrue();
    }
}
