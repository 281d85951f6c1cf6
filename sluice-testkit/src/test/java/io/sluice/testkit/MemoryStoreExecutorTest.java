package io.sluice.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.Gate;
import io.sluice.Limit;
import io.sluice.PacedExecutor;
import io.sluice.RateLimiter;
import io.sluice.memory.MemoryStore;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests that waits complete on the executor of the store. */
@Timeout(60)
class MemoryStoreExecutorTest {
    private final ManualTime time = new ManualTime();

    /** The executor: this test runs its tasks. */
    private final Queue<Runnable> tasks = new ArrayDeque<>();

    private RateLimiter limiter(Executor executor, String limit) {
        return MemoryStore.builder().time(time).executor(executor).build().limiter("limiter", Limit.parse(limit));
    }

    @ParameterizedTest
    @ValueSource(strings = {"1/s", "leaky-bucket 1/s", "fixed-window 1/s", "sliding-log 1/s"})
    void acquireAsync_hasToWait_completesOnTheExecutor(String limit) {
        RateLimiter limiter = limiter(tasks::add, limit);
        assertThat(limiter.acquireAsync("key").toCompletableFuture())
                .as("does not wait")
                .isCompleted();
        CompletableFuture<Void> waiter = limiter.acquireAsync("key").toCompletableFuture();
        CompletableFuture<Boolean> timed =
                limiter.tryAcquireAsync("key", Duration.ofSeconds(2)).toCompletableFuture();
        time.advance(Duration.ofSeconds(2));
        assertThat(waiter).isNotDone();
        assertThat(timed).isNotDone();
        tasks.remove().run();
        assertThat(waiter).isCompleted();
        tasks.remove().run();
        assertThat(timed).isCompletedWithValue(true);
        assertThat(tasks).isEmpty();
    }

    @Test
    void acquireAsync_executorRefuses_completesOnce() {
        AtomicInteger refused = new AtomicInteger();
        RateLimiter limiter = limiter(
                task -> {
                    refused.incrementAndGet();
                    throw new RejectedExecutionException("shut down");
                },
                "1/s");
        limiter.tryAcquire("key");
        CompletableFuture<Void> waiter = limiter.acquireAsync("key").toCompletableFuture();
        time.advance(Duration.ofSeconds(1));
        waiter.join();
        assertThat(refused).hasValue(1);
        assertThat(limiter.tryAcquire("key")).as("the permit stays taken").isFalse();
    }

    @Test
    void acquireAsync_executorRunsAndThenThrows_permitStaysTaken() {
        RateLimiter limiter = limiter(
                task -> {
                    task.run();
                    throw new IllegalStateException("a broken executor");
                },
                "1/s");
        limiter.tryAcquire("key");
        CompletableFuture<Void> waiter = limiter.acquireAsync("key").toCompletableFuture();
        time.advance(Duration.ofSeconds(1));
        waiter.join();
        assertThat(limiter.tryAcquire("key")).isFalse();
    }

    @Test
    void pacedExecutor_withoutItsOwnExecutor_runsTasksOnTheExecutorOfTheStore() {
        Gate gate = limiter(tasks::add, "10/s").forKey("key");
        PacedExecutor paced = PacedExecutor.of(gate, 10);
        AtomicInteger ran = new AtomicInteger();
        paced.execute(ran::incrementAndGet);
        assertThat(ran).hasValue(0);
        tasks.remove().run();
        assertThat(ran).hasValue(1);
    }

    @Test
    void executor_notSet_isTheCommonPool() {
        assertThat(RateLimiter.of(Limit.parse("1/s")).executor()).isSameAs(ForkJoinPool.commonPool());
        RateLimiter limiter = limiter(tasks::add, "1/s");
        Executor own = limiter.executor();
        assertThat(limiter.withListener(new ListenerContract.Heard()).executor())
                .isSameAs(own)
                .isNotSameAs(ForkJoinPool.commonPool());
    }
}
