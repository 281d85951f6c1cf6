package io.sluice.spi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.Limit;
import io.sluice.RateLimiter;
import io.sluice.Reservation;
import io.sluice.memory.MemoryStore;
import java.io.IOException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;

/** How a failed wait ends for the caller. */
class WaitingCallsTest {
    private final RateLimiter limiter = MemoryStore.create().limiter("mail", Limit.parse("sliding-log 1 per 1d"));

    private WaitingCalls<Reservation> callsThatFailWith(Throwable failure) {
        return new WaitingCalls<>(limiter, (key, permits, timeout) -> CompletableFuture.failedFuture(failure));
    }

    @Test
    void acquire_closed_fails() {
        limiter.close();
        assertThatThrownBy(() -> limiter.acquire("bob", 1))
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("limiter \"mail\": closed (expected: waiting before close)");
    }

    @Test
    void acquire_uncheckedFailure_isThrown() {
        UnsupportedOperationException failure = new UnsupportedOperationException("no clock");
        assertThatThrownBy(() -> callsThatFailWith(failure).acquire("bob", 1)).isSameAs(failure);
    }

    @Test
    void acquire_checkedFailure_isTheCause() {
        IOException failure = new IOException("no clock");
        assertThatThrownBy(() -> callsThatFailWith(failure).acquire("bob", 1))
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("limiter \"mail\", key \"bob\": waiting failed: java.io.IOException: no clock")
                .hasCause(failure);
    }

    @Test
    void acquire_error_isThrown() {
        AssertionError failure = new AssertionError("no clock");
        assertThatThrownBy(() -> callsThatFailWith(failure).acquire("bob", 1)).isSameAs(failure);
    }

    @Test
    void acquireAsync_failure_failsTheStage() {
        IOException failure = new IOException("no clock");
        Future<Void> stage = callsThatFailWith(failure).acquireAsync("bob", 1).toCompletableFuture();
        assertThatThrownBy(stage::get).isInstanceOf(ExecutionException.class).hasCause(failure);
    }

    @Test
    void acquireAsync_cancelled_cancelsTheWait() {
        CompletableFuture<Reservation> wait = new CompletableFuture<>();
        new WaitingCalls<>(limiter, (key, permits, timeout) -> wait)
                .acquireAsync("bob", 1)
                .toCompletableFuture()
                .cancel(false);
        assertThat(wait).isCancelled();
    }
}
