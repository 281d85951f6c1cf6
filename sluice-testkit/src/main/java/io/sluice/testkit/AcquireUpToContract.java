package io.sluice.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.Limit;
import io.sluice.RateLimiter;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The contract of {@code acquireUpTo}. The random traces compare it with the model too. */
interface AcquireUpToContract extends StoreUnderTest {
    @ParameterizedTest
    @ValueSource(
            strings = {
                "10/d",
                "10/d refill interval",
                "fixed-window 10/d",
                "fixed-window 10/d from-first",
                "sliding-log 10/d",
                "sliding-counter 10/d"
            })
    default void acquireUpTo_fewerAreFree_takesThemAll(String limit) {
        RateLimiter limiter = newLimiter(new ManualTime(), limit);
        assertThat(limiter.acquireUpTo("key", 4)).as("fewer than are free").isEqualTo(4);
        assertThat(limiter.acquireUpTo("key", 100)).as("more than are free").isEqualTo(6);
        assertThat(limiter.acquireUpTo("key", 1)).as("nothing is free").isZero();
        assertThat(limiter.acquireUpTo("other", Long.MAX_VALUE))
                .as("all of another key")
                .isEqualTo(10);
        assertThat(limiter.peek("key").remaining()).isZero();
    }

    @Test
    default void acquireUpTo_severalLimits_takesWhatAllHave() {
        RateLimiter limiter = newStore(new ManualTime())
                .limiter("two", Limit.parse("10/d burst 20"), Limit.parse("sliding-log 7 per 1h"));
        assertThat(limiter.acquireUpTo("key", 5)).isEqualTo(5);
        assertThat(limiter.acquireUpTo("key", 5)).isEqualTo(2);
        assertThat(limiter.acquireUpTo("key", 5)).isZero();
    }

    @Test
    default void acquireUpTo_zeroPermits_takesNothingAndIsNoDenial() {
        RateLimiter limiter = newLimiter(new ManualTime(), "2/d lockout 1h");
        assertThat(limiter.acquireUpTo("key", 0)).isZero();
        limiter.check("key", 2);
        assertThat(limiter.acquireUpTo("key", 0)).isZero();
        limiter.refund("key", 1);
        assertThat(limiter.tryAcquire("key")).as("not locked out").isTrue();
    }

    @Test
    default void acquireUpTo_nothingIsFree_startsTheLockout() {
        ManualTime time = new ManualTime();
        RateLimiter limiter = newLimiter(time, "sliding-log 5 per 1m lockout 1h");
        assertThat(limiter.acquireUpTo("key", 9))
                .as("fewer than asked for is no denial")
                .isEqualTo(5);
        time.advance(Duration.ofMinutes(1));
        assertThat(limiter.acquireUpTo("key", 9)).isEqualTo(5);
        assertThat(limiter.acquireUpTo("key", 9)).as("a denial").isZero();
        time.advance(Duration.ofMinutes(59));
        assertThat(limiter.acquireUpTo("key", 9)).as("locked out").isZero();
        time.advance(Duration.ofMinutes(1));
        assertThat(limiter.acquireUpTo("key", 9)).isEqualTo(5);
    }

    @Test
    default void acquireUpTo_leakyBucketNeedsDelay_takesNothingAndIsNoDenial() {
        ManualTime time = new ManualTime();
        RateLimiter limiter = newLimiter(time, "leaky-bucket 10/s capacity 3 lockout 1h");
        assertThat(limiter.acquireUpTo("key", 2)).as("an empty queue").isEqualTo(2);
        assertThat(limiter.acquireUpTo("key", 2))
                .as("there is room, with a delay")
                .isZero();
        time.advance(Duration.ofMillis(200));
        assertThat(limiter.acquireUpTo("key", 9)).as("not locked out").isEqualTo(3);
        assertThat(limiter.acquireUpTo("key", 1)).as("no room: a denial").isZero();
        time.advance(Duration.ofMinutes(1));
        assertThat(limiter.acquireUpTo("key", 1)).as("locked out").isZero();
    }

    @Test
    default void acquireUpTo_pausedBlockedOrInDebt_takesNothing() {
        RateLimiter limiter = newLimiter(new ManualTime(), "10/d");
        limiter.pause("paused", Duration.ofSeconds(1));
        limiter.penalize("debtor", 15);
        assertThat(limiter.acquireUpTo("paused", 3)).isZero();
        assertThat(limiter.acquireUpTo("debtor", 3)).isZero();
        assertThat(newLimiter(new ManualTime(), "blocked").acquireUpTo("key", 3))
                .isZero();
    }

    @Test
    default void acquireUpTo_unlimited_takesAll() {
        RateLimiter limiter = newLimiter(new ManualTime(), "unlimited");
        assertThat(limiter.acquireUpTo("key", 3)).isEqualTo(3);
        assertThat(limiter.acquireUpTo("key", Long.MAX_VALUE)).isEqualTo(Long.MAX_VALUE);
        limiter.pause("key", Duration.ofSeconds(1));
        assertThat(limiter.acquireUpTo("key", 3)).isZero();
    }

    @Test
    default void acquireUpTo_manyAtOnce_takeExactlyWhatThereIs() {
        RateLimiter limiter = newLimiter(new ManualTime(), "sliding-log 1000 per 1h");
        List<CompletableFuture<Long>> asked = new ArrayList<>();
        for (int i = 0; i < 300; i++) {
            asked.add(limiter.acquireUpToAsync("key", 1 + i % 9).toCompletableFuture());
        }
        assertThat(asked.stream().mapToLong(CompletableFuture::join).sum()).isEqualTo(1000);
    }

    @Test
    default void acquireUpTo_negativePermits_areRefused() {
        RateLimiter limiter = newLimiter(new ManualTime(), "10/s");
        assertThatThrownBy(() -> limiter.acquireUpTo("key", -1)).hasMessage("permits: -1 (expected: >= 0)");
        assertThatThrownBy(() -> limiter.forKey("key").acquireUpTo(-1)).hasMessage("permits: -1 (expected: >= 0)");
        assertThatThrownBy(() -> Stages.get(limiter.acquireUpToAsync("key", -1)))
                .hasMessage("permits: -1 (expected: >= 0)");
    }
}
