package io.sluice.redis;

import static org.assertj.core.api.Assertions.assertThat;

import io.lettuce.core.RedisCommandExecutionException;
import io.lettuce.core.RedisConnectionException;
import io.sluice.redis.connect.Connector;
import io.sluice.redis.connect.Link;
import io.sluice.testkit.Eventually;
import java.net.ConnectException;
import java.nio.channels.ClosedChannelException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Tests the log lines about failed connections. */
class ConnectionTest {
    private final Throwable wrongPassword = new RedisConnectionException(
            "Unable to connect", new CompletionException(new RedisCommandExecutionException("WRONGPASS")));
    private final Throwable unregistered = new IllegalStateException("RedisHandshakeHandler not registered");
    private final Throwable premature = new RedisConnectionException(
            "Unable to connect", new RedisConnectionException("Connection closed prematurely"));

    /** Fails with the given failures; repeats the last one. */
    private static final class Failing extends Connector {
        private final List<Throwable> failures;
        final AtomicInteger attempts = new AtomicInteger();

        Failing(Throwable... failures) {
            this.failures = List.of(failures);
        }

        @Override
        public CompletionStage<Link> open() {
            int attempt = attempts.getAndIncrement();
            return CompletableFuture.failedFuture(failures.get(Math.min(attempt, failures.size() - 1)));
        }

        @Override
        public void close(@Nullable Link link) {}
    }

    /** The log lines until so many attempts have failed. */
    private static List<String> said(int attempts, Throwable... failures) {
        Failing connector = new Failing(failures);
        try (LogLines lines = new LogLines();
                RedisStore store = RedisStore.builder()
                        .connector(connector)
                        .connectWait(Duration.ZERO)
                        .build()) {
            assertThat(store.isAvailable()).isFalse();
            Eventually.within(Duration.ofSeconds(30), "attempts", () -> connector.attempts.get() > attempts);
            return lines.with("Redis cannot be reached");
        }
    }

    @Test
    void unclearFailure_isNotLogged_butTheNextClearOneIs() {
        assertThat(said(3, unregistered, premature, wrongPassword))
                .containsExactly("WARNING: Redis cannot be reached, limiters go on without it:"
                        + " Unable to connect: WRONGPASS");
    }

    @Test
    void clearFailure_isLoggedAtOnce_andOnlyOnce() {
        Throwable refused =
                new RedisConnectionException("Unable to connect", new ConnectException("Connection refused"));
        assertThat(said(2, refused, wrongPassword))
                .containsExactly("WARNING: Redis cannot be reached, limiters go on without it:"
                        + " Unable to connect: Connection refused");
    }

    @Test
    void onlyUnclearFailures_areLoggedInTheEnd() {
        assertThat(said(5, new CompletionException(new ClosedChannelException()), premature))
                .containsExactly("WARNING: Redis cannot be reached, limiters go on without it:"
                        + " Unable to connect: Connection closed prematurely");
    }
}
