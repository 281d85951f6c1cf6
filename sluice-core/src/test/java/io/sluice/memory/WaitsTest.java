package io.sluice.memory;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.Limit;
import io.sluice.TimeSource;
import java.io.IOException;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** What a caller that waits is told when waiting fails. */
class WaitsTest {
    private final MemoryLimiter limiter =
            (MemoryLimiter) MemoryStore.create().limiter("mail", Limit.parse("sliding-log 1 per 1d"));
    private final Waits waits = new Waits(limiter, TimeSource.system());

    @Test
    void get_closed_saysClosed() {
        waits.close();
        assertThatThrownBy(() -> waits.get("bob", () -> waits.start("bob", 1, 1_000_000)))
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("limiter \"mail\": closed (expected: waiting before close)");
    }

    @Test
    void get_uncheckedFailure_isThrownAsItIs() {
        UnsupportedOperationException failure = new UnsupportedOperationException("no clock");
        assertThatThrownBy(() -> waits.get("bob", () -> CompletableFuture.failedFuture(failure)))
                .isSameAs(failure);
    }

    @Test
    void get_checkedFailure_isTheCause() {
        IOException failure = new IOException("no clock");
        assertThatThrownBy(() -> waits.get("bob", () -> CompletableFuture.failedFuture(failure)))
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("limiter \"mail\", key \"bob\": waiting failed: java.io.IOException: no clock")
                .hasCause(failure);
    }

    @Test
    void get_error_isThrownAsItIs() {
        AssertionError failure = new AssertionError("no clock");
        assertThatThrownBy(() -> waits.get("bob", () -> CompletableFuture.failedFuture(failure)))
                .isSameAs(failure);
    }
}
