package io.sluice.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.Limit;
import io.sluice.LimiterOptions;
import io.sluice.OnFailure;
import io.sluice.RateLimiter;
import io.sluice.redis.script.Arguments;
import io.sluice.testkit.Eventually;
import io.sluice.testkit.redis.RedisProcess;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests callers that wait for permits while Redis is away. */
class WaitingIT {
    private RedisProcess redis;
    private RedisStore store;

    @BeforeEach
    void start() {
        redis = RedisProcess.start();
        store = RedisStore.connect(redis.uri());
    }

    @AfterEach
    void stop() {
        store.close();
        redis.close();
    }

    /** Stops Redis, and waits until the store knows. */
    private void away() {
        RateLimiter other = store.limiter("other", Limit.parse("10/s"));
        Eventually.within(Duration.ofSeconds(30), "there", store::isAvailable);
        redis.pause();
        Eventually.within(
                Duration.ofSeconds(30), "away", () -> other.check("key", 1).degraded());
    }

    private static CompletableFuture<Void> acquire(RateLimiter limiter) {
        return limiter.acquireAsync("key", 1).toCompletableFuture();
    }

    private static boolean tryAcquire(RateLimiter limiter, Duration timeout) throws InterruptedException {
        return limiter.tryAcquire("key", 1, timeout);
    }

    @ParameterizedTest
    @ValueSource(strings = {"100/s", "leaky-bucket 100/s", "sliding-log 100 per 1s", "fixed-window 100/s"})
    void acquire_whileRedisIsAway_waitsUntilItIsBack(String limit) throws Exception {
        RateLimiter limiter = store.limiter("partner", Limit.parse(limit));
        away();
        List<CompletableFuture<Void>> waiters = new ArrayList<>();
        for (int i = 0; i < 20; i++) {
            waiters.add(acquire(limiter));
        }
        assertThat(tryAcquire(limiter, Duration.ofMillis(300))).isFalse();
        assertThat(waiters).noneMatch(CompletableFuture::isDone);
        redis.resume();
        for (CompletableFuture<Void> waiter : waiters) {
            waiter.get(30, TimeUnit.SECONDS);
        }
    }

    @Test
    void acquire_whileRedisIsKilled_waitsUntilItIsBack() throws Exception {
        RateLimiter limiter = store.limiter("partner", Limit.parse("100/s"));
        away();
        redis.kill();
        CompletableFuture<Void> waiter = acquire(limiter);
        assertThat(tryAcquire(limiter, Duration.ofMillis(300))).isFalse();
        assertThat(waiter).isNotDone();
        redis.restart();
        waiter.get(30, TimeUnit.SECONDS);
    }

    @Test
    void acquire_whileRedisIsAway_isServedInOrderWhenItIsBack() throws Exception {
        RateLimiter limiter = store.limiter("partner", Limit.parse("sliding-log 1 per 50ms"));
        away();
        ConcurrentLinkedQueue<Integer> served = new ConcurrentLinkedQueue<>();
        List<CompletableFuture<Void>> waiters = new ArrayList<>();
        List<Integer> order = new ArrayList<>();
        for (int i = 0; i < 20; i++) {
            int number = i;
            order.add(number);
            // Not by the stages of callers: a thread pool completes them in any order.
            waiters.add(((RedisLimiter) limiter)
                    .waiters()
                    .start("key", 1, false, Arguments.FOR_EVER)
                    .thenAccept(reservation -> served.add(number)));
        }
        redis.resume();
        for (CompletableFuture<Void> waiter : waiters) {
            waiter.get(30, TimeUnit.SECONDS);
        }
        assertThat(served).containsExactlyElementsOf(order);
    }

    @Test
    void tryAcquire_timeoutOverWhileRedisIsAway_isFalseInTime() throws Exception {
        RateLimiter limiter = store.limiter("partner", Limit.parse("100/s"));
        away();
        for (Duration timeout : List.of(Duration.ZERO, Duration.ofMillis(10), Duration.ofMillis(500))) {
            long begin = System.nanoTime();
            assertThat(tryAcquire(limiter, timeout)).isFalse();
            assertThat(Duration.ofNanos(System.nanoTime() - begin))
                    .isBetween(timeout, timeout.plusMillis(100).plus(Duration.ofSeconds(1)));
        }
    }

    @Test
    void acquire_withDenyWhileRedisIsAway_waits() throws Exception {
        RateLimiter limiter = store.limiter("partner", LimiterOptions.onFailure(OnFailure.DENY), Limit.parse("100/s"));
        away();
        CompletableFuture<Void> waiter = acquire(limiter);
        assertThat(tryAcquire(limiter, Duration.ofMillis(300))).isFalse();
        assertThat(waiter).isNotDone();
        redis.resume();
        waiter.get(30, TimeUnit.SECONDS);
    }

    @Test
    void acquire_whenItsOwnOptionsAllow_isAllowed() throws Exception {
        RateLimiter limiter = store.limiter("partner", LimiterOptions.onFailure(OnFailure.ALLOW), Limit.parse("1/d"));
        away();
        for (int i = 0; i < 10; i++) {
            limiter.acquire("key", 1);
            assertThat(tryAcquire(limiter, Duration.ZERO)).isTrue();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"token-bucket 1/d burst 3", "sliding-log 3 per 1d"})
    void acquire_localWhileRedisIsAway_waitsForTheShare(String limit) throws Exception {
        RateLimiter limiter = store.limiter("partner", LimiterOptions.onFailure(OnFailure.LOCAL), Limit.parse(limit));
        away();
        for (int i = 0; i < 3; i++) {
            limiter.acquire("key", 1);
        }
        CompletableFuture<Void> fourth = acquire(limiter);
        assertThat(tryAcquire(limiter, Duration.ofMillis(300))).isFalse();
        assertThat(fourth).isNotDone();
        redis.resume();
        Eventually.within(
                Duration.ofSeconds(30),
                "what was used is charged",
                () -> limiter.peek("key").remaining() == 0
                        && !limiter.peek("key").degraded());
        assertThat(fourth).isNotDone();
    }

    @Test
    void reserve_whileRedisIsAway_answersByOnFailure() {
        RateLimiter limiter = store.limiter("partner", Limit.parse("1/d"));
        away();
        for (int i = 0; i < 3; i++) {
            assertThat(limiter.reserve("key", 1).granted()).isTrue();
            assertThat(limiter.tryAcquire("key", 1)).isTrue();
        }
    }

    @Test
    void acquire_ofMoreThanTheLimitWhileRedisIsAway_throwsAtOnce() {
        RateLimiter limiter = store.limiter("partner", Limit.parse("18 per 10s"));
        away();
        assertThatThrownBy(() -> limiter.acquire("key", 19)).hasMessageContaining("19 permits can never be had");
    }

    @Test
    void close_failsWaitersForRedis() {
        RateLimiter limiter = store.limiter("partner", Limit.parse("100/s"));
        away();
        CompletableFuture<Void> waiter = acquire(limiter);
        limiter.close();
        assertThatThrownBy(waiter::join)
                .isInstanceOf(CompletionException.class)
                .hasMessageContaining("limiter \"partner\": closed");
    }

    @Test
    void waiters_whileRedisIsAway_doNotAskIt() throws Exception {
        RateLimiter limiter = store.limiter("partner", Limit.parse("sliding-log 100 per 1s"));
        away();
        List<CompletableFuture<Void>> waiters = new ArrayList<>();
        for (int i = 0; i < 50; i++) {
            waiters.add(acquire(limiter));
        }
        assertThat(tryAcquire(limiter, Duration.ofSeconds(1))).isFalse();
        redis.resume();
        for (CompletableFuture<Void> waiter : waiters) {
            waiter.get(30, TimeUnit.SECONDS);
        }
        // One call for each waiter, the heartbeat, and the calls that found out that Redis is away.
        assertThat(redis.calls("evalsha")).isLessThan(50 + 30);
    }

    /** Answers of Redis come while the limiter closes: they must not tell a waiter that it can never have a permit. */
    @ParameterizedTest
    @ValueSource(strings = {"fixed-window 1/d", "concurrency 1 hold 1h"})
    void close_whileWaitersAsk_failsAllOfThem(String limit) {
        RateLimiter limiter = store.limiter("partner", Limit.parse(limit));
        boolean holds = limit.startsWith("concurrency");
        List<CompletableFuture<?>> waiters = new ArrayList<>();
        for (int i = 0; i < 4_000; i++) {
            String key = "key-" + i % 2_000;
            waiters.add((holds ? limiter.enterAsync(key) : limiter.acquireAsync(key, 1)).toCompletableFuture());
        }
        limiter.close();
        for (CompletableFuture<?> waiter : waiters) {
            assertThat(waiter).isDone();
            if (waiter.isCompletedExceptionally()) {
                assertThatThrownBy(waiter::join).hasCauseInstanceOf(IllegalStateException.class);
            }
        }
        assertThat(waiters.stream().filter(CompletableFuture::isCompletedExceptionally))
                .hasSizeGreaterThanOrEqualTo(2_000);
    }
}
