package io.sluice.redis;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.Limit;
import java.io.IOException;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What a caller that waits is told when waiting fails. */
class CallersTest {
    private final RedisStore nowhere = RedisStore.connect("redis://127.0.0.1:1");
    private final RedisLimiter limiter = (RedisLimiter) nowhere.limiter("mail", Limit.parse("10/s"));
    private final Callers callers = new Callers(limiter);

    @AfterEach
    void close() {
        nowhere.close();
    }

    @Test
    void get_closed_saysClosed() {
        limiter.close();
        assertThatThrownBy(() -> callers.acquire("bob", 1))
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("limiter \"mail\": closed (expected: waiting before close)");
    }

    @Test
    void get_uncheckedFailure_isThrownAsItIs() {
        UnsupportedOperationException failure = new UnsupportedOperationException("no clock");
        assertThatThrownBy(() -> callers.get("bob", () -> CompletableFuture.failedFuture(failure)))
                .isSameAs(failure);
    }

    @Test
    void get_checkedFailure_isTheCause() {
        IOException failure = new IOException("no clock");
        assertThatThrownBy(() -> callers.get("bob", () -> CompletableFuture.failedFuture(failure)))
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("limiter \"mail\", key \"bob\": waiting failed: java.io.IOException: no clock")
                .hasCause(failure);
    }
}
