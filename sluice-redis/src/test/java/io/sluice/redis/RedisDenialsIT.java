package io.sluice.redis;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.Decision;
import io.sluice.Limit;
import io.sluice.RateLimiter;
import io.sluice.Reservation;
import io.sluice.StoreListener;
import io.sluice.testkit.Eventually;
import io.sluice.testkit.redis.RedisProcess;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Tests that a process remembers denials for a short time, without asking Redis. */
class RedisDenialsIT {
    private static final Duration SECOND = Duration.ofSeconds(1);
    private static final AtomicLong REMEMBERED = new AtomicLong();
    private static RedisProcess redis;
    private static RedisStore store;

    @BeforeAll
    static void start() {
        redis = RedisProcess.start();
        store = RedisStore.builder()
                .uri(redis.uri())
                .deadline(Duration.ofSeconds(10))
                .listener(new StoreListener() {
                    @Override
                    public void denialRemembered(String limiter) {
                        REMEMBERED.incrementAndGet();
                    }
                })
                .build();
    }

    @AfterAll
    static void stop() {
        store.close();
        redis.close();
    }

    private static long remembered(Runnable task) {
        long before = REMEMBERED.get();
        task.run();
        return REMEMBERED.get() - before;
    }

    /**
     * Makes requests until one is allowed. No request may be denied locally that came later than this time after the latest
     * denial by Redis. This holds on a slow machine, too: with more time, fewer denials are remembered.
     */
    private static void assertNotRememberedLongerThan(Duration time, RateLimiter limiter) {
        AtomicLong deniedByRedis = new AtomicLong(System.nanoTime());
        Eventually.within(Duration.ofMinutes(1), "admitted", () -> {
            long asked = System.nanoTime();
            AtomicBoolean admitted = new AtomicBoolean();
            if (remembered(() -> admitted.set(limiter.tryAcquire("key"))) > 0) {
                assertThat(Duration.ofNanos(asked - deniedByRedis.get())).isLessThan(time);
            } else if (!admitted.get()) {
                deniedByRedis.set(System.nanoTime());
            }
            return admitted.get();
        });
    }

    @Test
    void requestsForAsManyOrMore_afterADenial_areDeniedLocally() {
        RateLimiter limiter = store.limiter("again", Limit.parse("10/h"));
        limiter.check("key", 8);
        long asked;
        long remembered;
        do {
            asked = System.nanoTime();
            assertThat(limiter.tryAcquire("key", 5)).isFalse();
            remembered = remembered(() -> {
                assertThat(limiter.tryAcquire("key", 5)).isFalse();
                assertThat(limiter.tryAcquire("key", 6)).isFalse();
                Decision decision = limiter.check("key", 5);
                assertThat(decision.allowed()).isFalse();
                assertThat(decision.remaining()).isEqualTo(2);
                assertThat(decision.retryAfter()).isBetween(Duration.ofMinutes(17), Duration.ofMinutes(18));
            });
            // If the call took longer than a denial is remembered, it proves nothing.
        } while (System.nanoTime() - asked >= SECOND.toNanos());
        assertThat(remembered).isEqualTo(3);
        assertThat(remembered(() -> assertThat(limiter.tryAcquire("key", 2)).isTrue()))
                .as("less may be there")
                .isZero();
        assertThat(limiter.check("key", 11).never())
                .as("more than ever: Redis says")
                .isTrue();
    }

    @Test
    void acquireUpTo_afterNothingWasFree_isDeniedLocally() {
        RateLimiter limiter = store.limiter("up-to", Limit.parse("10/h"));
        assertThat(limiter.acquireUpTo("key", 99)).isEqualTo(10);
        long asked;
        long remembered;
        do {
            asked = System.nanoTime();
            assertThat(limiter.acquireUpTo("key", 5)).isZero();
            remembered = remembered(() -> {
                assertThat(limiter.acquireUpTo("key", 99)).isZero();
                assertThat(limiter.tryAcquire("key")).isFalse();
            });
            // If the call took longer than a denial is remembered, it proves nothing.
        } while (System.nanoTime() - asked >= SECOND.toNanos());
        assertThat(remembered).isEqualTo(2);
        limiter.refund("key", 3);
        assertThat(limiter.acquireUpTo("key", 99)).isEqualTo(3);
    }

    @Test
    void giveBack_byThisProcess_isSeenAtOnce() {
        RateLimiter limiter = store.limiter("given", Limit.parse("10/h"));
        Reservation reservation = limiter.reserve("key", 10);
        assertThat(limiter.tryAcquire("key")).isFalse();
        reservation.cancel();
        assertThat(limiter.tryAcquire("key", 10)).isTrue();
        assertThat(limiter.tryAcquire("key")).isFalse();
        limiter.refund("key", 1);
        assertThat(limiter.tryAcquire("key")).isTrue();
        assertThat(limiter.tryAcquire("key")).isFalse();
        limiter.reset("key");
        assertThat(limiter.tryAcquire("key", 10)).isTrue();
        assertThat(limiter.tryAcquire("key")).isFalse();
        limiter.update(Limit.parse("11/h"));
        assertThat(limiter.tryAcquire("key")).isTrue();
    }

    @Test
    void giveBack_byAnotherProcess_isSeenWithinASecond() {
        RateLimiter limiter = store.limiter("elsewhere", Limit.parse("10/h"));
        limiter.check("key", 10);
        assertThat(limiter.tryAcquire("key")).isFalse();
        try (RedisStore other = RedisStore.builder()
                .uri(redis.uri())
                .deadline(Duration.ofSeconds(10))
                .build()) {
            other.limiter("elsewhere", Limit.parse("10/h")).refund("key", 1);
        }
        assertNotRememberedLongerThan(SECOND, limiter);
    }

    @Test
    void denial_afterItsRetryAfter_isForgotten() {
        RateLimiter limiter = store.limiter("short", Limit.parse("1 per 50ms burst 1"));
        // At once, so that all but one are denied, also where 50 ms pass between two calls.
        List<CompletableFuture<Decision>> asked = Stream.generate(
                        () -> limiter.checkAsync("key", 1).toCompletableFuture())
                .limit(50)
                .toList();
        assertThat(asked).anyMatch(answer -> !answer.join().allowed());
        assertNotRememberedLongerThan(Duration.ofMillis(50), limiter);
    }

    @Test
    void leakyBucket_withDelay_isNoDenial() {
        RateLimiter limiter = store.limiter("leaky", Limit.parse("leaky-bucket 1/h capacity 10"));
        limiter.check("key", 1);
        assertThat(limiter.tryAcquire("key")).isFalse();
        assertThat(remembered(() -> assertThat(limiter.check("key").allowed()).isTrue()))
                .isZero();
    }
}
