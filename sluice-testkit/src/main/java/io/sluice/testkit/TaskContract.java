package io.sluice.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.sluice.RateLimitedException;
import io.sluice.RateLimiter;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.FutureTask;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The contract of {@code call}, which runs a task if permits are free. */
@Timeout(60)
interface TaskContract extends StoreUnderTest {
    Callable<String> NOT_RUN = () -> {
        throw new AssertionError("the task was run");
    };

    @Test
    default void call_permitIsFree_runsTheTask() throws Exception {
        RateLimiter limiter = newLimiter(new ManualTime(), "10/d");
        assertThat(limiter.call("key", () -> "done")).isEqualTo("done");
        assertThat(limiter.call("key", 3, () -> 7)).isEqualTo(7);
        assertThat(limiter.peek("key").remaining()).isEqualTo(6);
    }

    @Test
    default void call_denied_throwsTheDecision() {
        RateLimiter limiter = newLimiter(new ManualTime(), "10 per 10s");
        limiter.check("key", 8);
        RateLimitedException denied =
                catchThrowableOfType(RateLimitedException.class, () -> limiter.call("key", 5, NOT_RUN));
        assertThat(denied).hasMessage("limiter \"limiter\", key \"key\": 5 permits denied, 2 free, retry after 3s");
        assertThat(denied.decision()).isEqualTo(limiter.peek("key", 5));
        assertThat(denied.retryAfter()).isEqualTo(Duration.ofSeconds(3));
        assertThat(denied.limiter()).isEqualTo("limiter");
        assertThat(denied.key()).isEqualTo("key");
        assertThat(denied.permits()).isEqualTo(5);
        assertThatThrownBy(() -> limiter.call("key", 11, NOT_RUN))
                .hasMessage("limiter \"limiter\", key \"key\": 11 permits denied, 2 free,"
                        + " more than the limit can ever give");
        assertThat(limiter.peek("key").remaining()).as("nothing was taken").isEqualTo(2);
    }

    @Test
    default void call_taskThrows_permitStaysUsed() {
        RateLimiter limiter = newLimiter(new ManualTime(), "10/d");
        IOException failure = new IOException("the task's own failure");
        assertThatThrownBy(() -> limiter.call("key", () -> {
                    throw failure;
                }))
                .isSameAs(failure);
        assertThat(limiter.peek("key").remaining()).isEqualTo(9);
    }

    @Test
    default void call_leakyBucketNeedsDelay_isDeniedUntilTheDelayIsOver() throws Exception {
        ManualTime time = new ManualTime();
        RateLimiter limiter = newLimiter(time, "leaky-bucket 10/s capacity 5");
        limiter.call("key", 2, () -> "done");
        assertThatThrownBy(() -> limiter.call("key", NOT_RUN))
                .hasMessage("limiter \"limiter\", key \"key\": 1 permit denied, 3 free, retry after 200ms");
        time.advance(Duration.ofMillis(200));
        assertThat(limiter.call("key", () -> "done")).isEqualTo("done");
    }

    @Test
    default void call_timeoutIsTooShort_throwsAtOnceAndTakesNothing() {
        RateLimiter limiter = newLimiter(new ManualTime(), "10 per 10s");
        limiter.check("key", 10);
        RateLimitedException denied = catchThrowableOfType(
                RateLimitedException.class, () -> limiter.call("key", 2, Duration.ofMillis(1999), NOT_RUN));
        assertThat(denied.retryAfter()).isEqualTo(Duration.ofSeconds(2));
        assertThat(limiter.peek("key", 1).retryAfter()).isEqualTo(Duration.ofSeconds(1));
    }

    @Test
    default void call_withTimeout_waitsForThePermits() throws Exception {
        ManualTime time = new ManualTime();
        RateLimiter limiter = newLimiter(time, "fixed-window 1/s");
        assertThat(limiter.call("key", () -> "first")).isEqualTo("first");
        int before = time.scheduled();
        FutureTask<String> second = new FutureTask<>(() -> limiter.call("key", Duration.ofSeconds(5), () -> "second"));
        Thread thread = new Thread(second, "waiter");
        thread.setDaemon(true);
        thread.start();
        time.awaitScheduled(before + 1);
        time.advance(Duration.ofSeconds(1));
        assertThat(second.get()).isEqualTo("second");
    }
}
