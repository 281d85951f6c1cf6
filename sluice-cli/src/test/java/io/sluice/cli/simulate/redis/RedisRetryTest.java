package io.sluice.cli.simulate.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lettuce.core.RedisCommandExecutionException;
import io.lettuce.core.RedisCommandTimeoutException;
import io.lettuce.core.RedisConnectionException;
import io.lettuce.core.RedisException;
import java.net.ConnectException;
import java.net.UnknownHostException;
import java.nio.channels.ClosedChannelException;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class RedisRetryTest {
    private final RedisException unregistered = new RedisConnectionException(
            "Unable to connect", new RedisException("RedisHandshakeHandler not registered"));
    private final RedisException closed = new RedisConnectionException("Connection closed prematurely");
    private final RedisException wrongPassword = wrongPassword();
    private final Queue<Object> answers = new ArrayDeque<>();

    private static RedisException wrongPassword() {
        return new RedisConnectionException(
                "Unable to connect", new RedisCommandExecutionException("WRONGPASS invalid username-password pair"));
    }

    private Object next() {
        Object answer = answers.remove();
        if (answer instanceof RedisException failure) {
            throw failure;
        }
        return answer;
    }

    @Test
    void login_thatIsRefused_isToldAfterFailuresThatSayNothing() {
        answers.addAll(List.of(unregistered, closed, wrongPassword, "never asked"));

        assertThatThrownBy(() -> RedisRetry.of(this::next, () -> 0)).isSameAs(wrongPassword);
        assertThat(answers).hasSize(1);
    }

    @Test
    void attempt_thatSucceedsAfterAFailureThatSaysNothing_isTheAnswer() {
        answers.addAll(List.of(closed, "fine"));

        assertThat(RedisRetry.of(this::next, () -> 0)).isEqualTo("fine");
    }

    @ParameterizedTest
    @MethodSource
    void failure_thatSaysWhatIsWrong_isToldAtOnce(RedisException clear) {
        answers.addAll(List.of(clear, "never asked"));

        assertThatThrownBy(() -> RedisRetry.of(this::next, () -> 0)).isSameAs(clear);
        assertThat(answers).hasSize(1);
    }

    static List<RedisException> failure_thatSaysWhatIsWrong_isToldAtOnce() {
        return List.of(
                wrongPassword(),
                new RedisCommandExecutionException("NOPERM"),
                new RedisCommandTimeoutException("Connection initialization timed out"),
                new RedisConnectionException("Unable to connect", new ConnectException("Connection refused")),
                new RedisConnectionException(
                        "Unable to connect", new RuntimeException(new UnknownHostException("nobody"))));
    }

    @Test
    void channel_thatIsClosedHere_saysNothing() {
        answers.addAll(List.of(new RedisException(new ClosedChannelException()), wrongPassword));

        assertThatThrownBy(() -> RedisRetry.of(this::next, () -> 0)).isSameAs(wrongPassword);
    }

    @Test
    void failures_thatNeverSayAnything_endAfterSomeAttempts() {
        AtomicLong attempts = new AtomicLong();

        assertThatThrownBy(() -> RedisRetry.of(
                        () -> {
                            attempts.incrementAndGet();
                            throw closed;
                        },
                        () -> 0))
                .isSameAs(closed);
        assertThat(attempts).hasValue(RedisRetry.MAX_ATTEMPTS);
    }

    @Test
    void failures_thatTakeLong_endWithPatience() {
        AtomicLong nanos = new AtomicLong(Long.MAX_VALUE - 1);

        assertThatThrownBy(() -> RedisRetry.of(
                        () -> {
                            nanos.addAndGet(RedisRetry.MAX_TIME.toNanos() / 2);
                            throw closed;
                        },
                        nanos::get))
                .isSameAs(closed);
        assertThat(nanos).hasValue(Long.MAX_VALUE - 1 + RedisRetry.MAX_TIME.toNanos());
    }
}
