package io.sluice.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.Limit;
import io.sluice.RateLimiter;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The contract of waiting, on manual time: no test sleeps. */
@Timeout(60)
interface WaitContract extends StoreUnderTest {
    @ParameterizedTest
    @ValueSource(
            strings = {
                "1/s",
                "1/s refill interval",
                "leaky-bucket 1/s",
                "fixed-window 1/s",
                "fixed-window 1/s from-first",
                "sliding-log 1/s"
            })
    default void acquire_severalWaiters_areServedInOrder(String limit) throws Exception {
        ManualTime time = new ManualTime();
        RateLimiter limiter = newLimiter(time, limit);
        assertThat(limiter.tryAcquire("key")).isTrue();
        List<CompletableFuture<Void>> waiters = new ArrayList<>();
        for (int i = 0; i < 5; i++) {
            waiters.add(limiter.acquireAsync("key", 1).toCompletableFuture());
        }
        for (int i = 0; i < 5; i++) {
            assertThat(waiters.get(i)).as("waiter %s, second %s", i, i).isNotDone();
            time.advance(Duration.ofSeconds(1).minusNanos(1000));
            assertThat(waiters.get(i)).as("waiter %s, a microsecond early", i).isNotDone();
            time.advanceMicros(1);
            waiters.get(i).get();
        }
        assertThat(limiter.tryAcquire("key")).as("all are used").isFalse();
    }

    @Test
    default void acquire_blockingCaller_wakesWhenItsTimeComes() throws Exception {
        ManualTime time = ManualTime.forwardOnly(ManualTime.START_MICROS);
        RateLimiter limiter = newLimiter(time, "1/s");
        limiter.acquire("key");
        int before = time.scheduled();
        FutureTask<Void> task = start(() -> limiter.acquire("key"));
        time.awaitScheduled(before + 1);
        time.advance(Duration.ofSeconds(1));
        task.get();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "10/s lockout 1h",
                "leaky-bucket 10/s lockout 1h",
                "sliding-log 10/s lockout 1h",
                "fixed-window 10/s"
            })
    default void tryAcquire_timeoutCannotBeMet_answersAtOnceAndTakesNothing(String limit) throws Exception {
        ManualTime time = new ManualTime();
        RateLimiter limiter = newLimiter(time, limit);
        limiter.check("key", 10);
        assertThat(limiter.tryAcquire("key", 10, Duration.ofMillis(500))).isFalse();
        assertThat(limiter.tryAcquire("key", 11, Duration.ofDays(1)))
                .as("can never be had")
                .isFalse();
        time.advance(Duration.ofSeconds(1));
        assertThat(limiter.check("key", 10).allowed())
                .as("nothing taken, no lockout")
                .isTrue();
    }

    @Test
    default void acquire_moreThanTheLimit_throwsAtOnce() {
        RateLimiter limiter = newLimiter(new ManualTime(), "10/s");
        assertThatThrownBy(() -> limiter.acquire("key", 11))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("11 permits can never be had")
                .hasMessageContaining("\"key\"");
        assertThatThrownBy(() -> newLimiter(new ManualTime(), "blocked").acquire("key"))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() ->
                        limiter.acquireAsync("key", 11).toCompletableFuture().join())
                .isInstanceOf(CompletionException.class)
                .hasCauseInstanceOf(IllegalArgumentException.class);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "1/s",
                "leaky-bucket 1/s",
                "sliding-log 1/s",
                "fixed-window 1/s from-first",
                "warm-up 2/s over 500ms"
            })
    default void acquire_interrupted_givesItsPermitBack(String limit) throws Exception {
        ManualTime time = new ManualTime();
        RateLimiter limiter = newLimiter(time, limit);
        limiter.acquire("key");
        int before = time.scheduled();
        Thread[] waiter = new Thread[1];
        FutureTask<Void> task = start(() -> {
            waiter[0] = Thread.currentThread();
            limiter.acquire("key");
        });
        time.awaitScheduled(before + 1);
        waiter[0].interrupt();
        assertThatThrownBy(task::get)
                .isInstanceOf(ExecutionException.class)
                .hasCauseInstanceOf(InterruptedException.class);
        time.advance(Duration.ofSeconds(1));
        assertThat(limiter.tryAcquire("key")).isTrue();
    }

    @ParameterizedTest
    @ValueSource(strings = {"1/s", "sliding-log 1/s", "warm-up 2/s over 500ms"})
    default void acquireAsync_cancelled_givesItsPermitBackToTheNext(String limit) throws Exception {
        ManualTime time = new ManualTime();
        RateLimiter limiter = newLimiter(time, limit);
        limiter.acquire("key");
        CompletableFuture<Void> first = limiter.acquireAsync("key", 1).toCompletableFuture();
        first.cancel(false);
        CompletableFuture<Void> second = limiter.acquireAsync("key", 1).toCompletableFuture();
        time.advance(Duration.ofSeconds(1));
        second.get();
    }

    @Test
    default void tryAcquire_windowWithTimeout_waitsForTheNextWindow() throws Exception {
        ManualTime time = new ManualTime();
        RateLimiter limiter = newLimiter(time, "fixed-window 5/s");
        limiter.check("key", 5);
        CompletableFuture<Boolean> met =
                limiter.tryAcquireAsync("key", 3, Duration.ofSeconds(1)).toCompletableFuture();
        CompletableFuture<Boolean> behind =
                limiter.tryAcquireAsync("key", 3, Duration.ofMillis(1500)).toCompletableFuture();
        time.advance(Duration.ofSeconds(1));
        assertThat(met.get()).isTrue();
        assertThat(behind.get())
                .as("its turn came, and the next window is too late")
                .isFalse();
    }

    @ParameterizedTest
    @ValueSource(strings = {"refund", "reset", "update"})
    default void waiters_permitsBecomeFreeEarlier_areServedEarlier(String verb) throws Exception {
        ManualTime time = new ManualTime();
        RateLimiter limiter = newLimiter(time, "fixed-window 5 per 1h");
        limiter.check("key", 5);
        CompletableFuture<Void> waiter = limiter.acquireAsync("key", 2).toCompletableFuture();
        assertThat(waiter).isNotDone();
        switch (verb) {
            case "refund" -> limiter.refund("key", 2);
            case "reset" -> limiter.reset("key");
            default -> limiter.update(Limit.parse("fixed-window 7 per 1h"));
        }
        waiter.get();
    }

    @ParameterizedTest
    @ValueSource(strings = {"10/h", "leaky-bucket 10/h", "fixed-window 10/h"})
    default void acquire_interruptedBefore_takesNothing(String limit) {
        RateLimiter limiter = newLimiter(new ManualTime(), limit);
        for (int i = 0; i < 3; i++) {
            Thread.currentThread().interrupt();
            assertThatThrownBy(() -> limiter.acquire("key", 2)).isInstanceOf(InterruptedException.class);
            Thread.currentThread().interrupt();
            assertThatThrownBy(() -> limiter.tryAcquire("key", 2, Duration.ofHours(1)))
                    .isInstanceOf(InterruptedException.class);
        }
        assertThat(limiter.peek("key").remaining()).isEqualTo(10);
    }

    @ParameterizedTest
    @ValueSource(strings = {"fixed-window 3 per 1h from-first", "blocked"})
    default void acquire_updateMakesItImpossible_throws(String update) {
        RateLimiter limiter = newLimiter(new ManualTime(), "fixed-window 5 per 1h from-first");
        limiter.check("key", 5);
        CompletableFuture<Void> waiter = limiter.acquireAsync("key", 5).toCompletableFuture();
        limiter.update(Limit.parse(update));
        assertThatThrownBy(waiter::join)
                .hasCauseInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("5 permits can never be had");
    }

    @Test
    default void acquireAsync_cancelledWhileTheAnswerIsOnItsWay_losesNothing() {
        RateLimiter limiter = newLimiter(new ManualTime(), "fixed-window 1/d");
        for (int i = 0; i < 500; i++) {
            limiter.check("key", 1);
            CompletableFuture<Void> waiter = limiter.acquireAsync("key", 1).toCompletableFuture();
            limiter.refund("key", 1);
            boolean cancelled = waiter.cancel(false);
            // Another thread gives the permit back. If it does not, this test runs into its timeout.
            while (limiter.peek("key").remaining() != (cancelled ? 1 : 0)) {
                Thread.onSpinWait();
            }
            limiter.reset("key");
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"1/d", "leaky-bucket 1/d", "sliding-log 1/d", "fixed-window 1 per day", "warm-up 1/d over 1h"})
    default void close_whileWaiting_failsAllWaiters(String limit) throws Exception {
        ManualTime time = new ManualTime();
        RateLimiter limiter = newLimiter(time, limit);
        limiter.acquire("key");
        int before = time.scheduled();
        FutureTask<Void> blocked = start(() -> limiter.acquire("key"));
        time.awaitScheduled(before + 1);
        CompletableFuture<Void> async = limiter.acquireAsync("key", 1).toCompletableFuture();
        limiter.close();
        assertThatThrownBy(blocked::get).hasCauseInstanceOf(IllegalStateException.class);
        assertThatThrownBy(async::get).hasCauseInstanceOf(IllegalStateException.class);
        assertThatThrownBy(() -> limiter.acquire("key")).isInstanceOf(IllegalStateException.class);
    }

    @Test
    default void tryAcquire_leakyBucketNeedsDelay_takesNothingAndIsNoDenial() {
        ManualTime time = new ManualTime();
        RateLimiter limiter = newLimiter(time, "leaky-bucket 10/s capacity 2 lockout 1h");
        assertThat(limiter.tryAcquire("key")).isTrue();
        assertThat(limiter.tryAcquire("key")).isFalse();
        assertThat(limiter.check("key", 1).delay()).isEqualTo(Duration.ofMillis(100));
        assertThat(limiter.tryAcquire("key")).as("no room: a denial").isFalse();
        time.advance(Duration.ofMinutes(59));
        assertThat(limiter.tryAcquire("key")).isFalse();
    }

    @Test
    default void negativePermits_anyVerb_areRefused() {
        RateLimiter limiter = newLimiter(new ManualTime(), "10/s");
        assertThatThrownBy(() -> limiter.tryAcquire("key", -1)).hasMessage("permits: -1 (expected: >= 0)");
        assertThatThrownBy(() -> limiter.check("key", -1)).hasMessage("permits: -1 (expected: >= 0)");
        assertThatThrownBy(() -> limiter.acquire("key", -1)).hasMessage("permits: -1 (expected: >= 0)");
        assertThatThrownBy(() -> limiter.refund("key", -1)).hasMessage("permits: -1 (expected: >= 0)");
        assertThatThrownBy(() -> limiter.forKey("key").tryAcquire(-1)).hasMessage("permits: -1 (expected: >= 0)");
    }

    /** An action that may throw any exception. */
    interface Task {
        void run() throws Exception;
    }

    private static FutureTask<Void> start(Task task) {
        FutureTask<Void> future = new FutureTask<>(() -> {
            task.run();
            return null;
        });
        Thread thread = new Thread(future, "waiter");
        thread.setDaemon(true);
        thread.start();
        return future;
    }
}
