package io.sluice.redis;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.Decision;
import io.sluice.Limit;
import io.sluice.RateLimiter;
import io.sluice.Reservation;
import io.sluice.StoreListener;
import io.sluice.testkit.redis.RedisProcess;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** What was denied is denied for a moment without asking. */
class RedisDenialsIT {
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

    @Test
    void denied_asManyOrMoreAgain_areDeniedHere() {
        RateLimiter limiter = store.limiter("again", Limit.parse("10/h"));
        limiter.check("key", 8);
        assertThat(limiter.tryAcquire("key", 5)).isFalse();
        assertThat(remembered(() -> {
                    assertThat(limiter.tryAcquire("key", 5)).isFalse();
                    assertThat(limiter.tryAcquire("key", 6)).isFalse();
                    Decision decision = limiter.check("key", 5);
                    assertThat(decision.allowed()).isFalse();
                    assertThat(decision.remaining()).isEqualTo(2);
                    assertThat(decision.retryAfter()).isBetween(Duration.ofMinutes(17), Duration.ofMinutes(18));
                }))
                .isEqualTo(3);
        assertThat(remembered(() -> assertThat(limiter.tryAcquire("key", 2)).isTrue()))
                .as("less may be there")
                .isZero();
        assertThat(limiter.check("key", 11).never())
                .as("more than ever: Redis says")
                .isTrue();
    }

    @Test
    void givenBack_inAnyWay_isSeenAtOnce() {
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
    void givenBack_byAnotherProcess_isSeenWithinASecond() {
        RateLimiter limiter = store.limiter("elsewhere", Limit.parse("10/h"));
        limiter.check("key", 10);
        assertThat(limiter.tryAcquire("key")).isFalse();
        try (RedisStore other = RedisStore.connect(redis.uri())) {
            other.limiter("elsewhere", Limit.parse("10/h")).refund("key", 1);
        }
        Eventually.within(Duration.ofMillis(1100), "the refund is seen", () -> limiter.tryAcquire("key"));
    }

    @Test
    void shortDenial_isForgottenWhenItsTimeIsOver() {
        RateLimiter limiter = store.limiter("short", Limit.parse("1 per 50ms burst 1"));
        limiter.tryAcquire("key");
        Decision denied = limiter.check("key");
        assertThat(denied.allowed()).isFalse();
        long start = System.nanoTime();
        Eventually.within(Duration.ofSeconds(5), "refilled", () -> limiter.tryAcquire("key"));
        assertThat(System.nanoTime() - start).isLessThan(Duration.ofSeconds(1).toNanos());
    }

    @Test
    void leakyBucketThatWouldHaveToWait_isNoDenial() {
        RateLimiter limiter = store.limiter("leaky", Limit.parse("leaky-bucket 1/h capacity 10"));
        limiter.check("key", 1);
        assertThat(limiter.tryAcquire("key")).isFalse();
        assertThat(remembered(() -> assertThat(limiter.check("key").allowed()).isTrue()))
                .isZero();
    }
}
