package io.sluice.redis;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.Limit;
import io.sluice.LimiterOptions;
import io.sluice.OnFailure;
import io.sluice.RateLimiter;
import io.sluice.testkit.Eventually;
import io.sluice.testkit.ManualTime;
import io.sluice.testkit.redis.RedisProcess;
import java.time.Duration;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests that waits complete on the executor of the store, and on no other thread. */
@Timeout(60)
class RedisExecutorIT {
    /** The executor: this test runs its tasks. */
    private final BlockingQueue<Runnable> tasks = new LinkedBlockingQueue<>();

    private RedisStore.Builder builder() {
        return RedisStore.builder().executor(tasks::add);
    }

    @ParameterizedTest
    @ValueSource(strings = {"1/s", "sliding-log 1/s"})
    void acquireAsync_hasToWait_completesOnTheExecutor(String limit) throws InterruptedException {
        ManualTime time = new ManualTime();
        try (RedisStore store = builder()
                .uri(TestRedis.PROCESS.uri())
                .prefix(TestRedis.newPrefix())
                .deadline(Duration.ofSeconds(30))
                .virtualTime(time)
                .build()) {
            RateLimiter limiter = store.limiter("limiter", Limit.parse(limit));
            assertThat(limiter.tryAcquire("key")).isTrue();
            int before = time.scheduled();
            CompletableFuture<Void> waiter = limiter.acquireAsync("key").toCompletableFuture();
            time.awaitScheduled(before + 1);
            time.advance(Duration.ofSeconds(1));
            Runnable completion = tasks.take();
            assertThat(waiter).isNotDone();
            completion.run();
            // The first task may also be the answer to the wait queue.
            while (!waiter.isDone()) {
                tasks.take().run();
            }
            assertThat(waiter).isCompleted();
        }
    }

    @Test
    void waitQueue_answeredWithoutRedis_asksOnTheExecutor() throws InterruptedException {
        try (RedisProcess redis = RedisProcess.start();
                RedisStore store = builder().uri(redis.uri()).build()) {
            RateLimiter limiter = store.limiter(
                    "limiter", LimiterOptions.onFailure(OnFailure.ALLOW), Limit.parse("sliding-log 1 per 1d"));
            Eventually.within(
                    Duration.ofSeconds(30), "there", () -> !limiter.peek("key").degraded());
            redis.kill();
            Eventually.within(
                    Duration.ofSeconds(30), "away", () -> limiter.peek("key").degraded() && !store.isAvailable());
            CompletableFuture<Void> waiter = limiter.acquireAsync("key").toCompletableFuture();
            Runnable answer = tasks.poll(30, TimeUnit.SECONDS);
            assertThat(answer).as("the answer to the wait queue").isNotNull();
            answer.run();
            assertThat(waiter).as("it completes on the executor, too").isNotDone();
            tasks.take().run();
            assertThat(waiter).isCompleted();
        }
    }
}
