package io.sluice.redis;

import static org.assertj.core.api.Assertions.assertThat;

import io.lettuce.core.RedisCommandExecutionException;
import io.lettuce.core.RedisConnectionException;
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

/** What is said of connections that fail. */
class ConnectionTest {
    private final Throwable wrongPassword = new RedisConnectionException(
            "Unable to connect", new CompletionException(new RedisCommandExecutionException("WRONGPASS")));
    private final Throwable unregistered = new IllegalStateException("RedisHandshakeHandler not registered");
    private final Throwable premature = new RedisConnectionException(
            "Unable to connect", new RedisConnectionException("Connection closed prematurely"));

    /** Fails in this way, the last one again and again. */
    private static final class Failing extends Connector {
        private final List<Throwable> failures;
        final AtomicInteger attempts = new AtomicInteger();

        Failing(Throwable... failures) {
            this.failures = List.of(failures);
        }

        @Override
        CompletionStage<Link> open() {
            int attempt = attempts.getAndIncrement();
            return CompletableFuture.failedFuture(failures.get(Math.min(attempt, failures.size() - 1)));
        }

        @Override
        void close(@Nullable Link link) {}
    }

    /** What is said until so many attempts were made. */
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
    void unclearFailure_isNotSaid_butTheReasonOfTheNext() {
        assertThat(said(3, unregistered, premature, wrongPassword))
                .containsExactly("WARNING: Redis cannot be reached, limiters go on without it:"
                        + " Unable to connect: WRONGPASS");
    }

    @Test
    void clearFailure_isSaidAtOnce_andOnce() {
        Throwable refused =
                new RedisConnectionException("Unable to connect", new ConnectException("Connection refused"));
        assertThat(said(2, refused, wrongPassword))
                .containsExactly("WARNING: Redis cannot be reached, limiters go on without it:"
                        + " Unable to connect: Connection refused");
    }

    @Test
    void onlyUnclearFailures_areSaidInTheEnd() {
        assertThat(said(5, new CompletionException(new ClosedChannelException()), premature))
                .containsExactly("WARNING: Redis cannot be reached, limiters go on without it:"
                        + " Unable to connect: Connection closed prematurely");
    }
}
