package io.sluice.redis;

import static org.assertj.core.api.Assertions.assertThat;

import io.lettuce.core.RedisCommandTimeoutException;
import io.lettuce.core.RedisException;
import io.sluice.Limit;
import io.sluice.RateLimiter;
import io.sluice.redis.call.ColdStart;
import io.sluice.redis.connect.Connector;
import io.sluice.redis.connect.Link;
import java.net.ConnectException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class ColdStartTest {
    private static final Duration HOUR = Duration.ofHours(1);

    /** Fails with the given failures, one for each attempt. After that, attempts never end. */
    private static final class Pending extends Connector {
        private final Queue<Throwable> failures;

        Pending(Throwable... failures) {
            this.failures = new ConcurrentLinkedQueue<>(List.of(failures));
        }

        @Override
        public CompletionStage<Link> open() {
            Throwable failure = failures.poll();
            return failure == null ? new CompletableFuture<>() : CompletableFuture.failedFuture(failure);
        }

        @Override
        public void close(@Nullable Link link) {}
    }

    private final RedisStore store = store(Duration.ZERO);
    private final ColdStart cold = new ColdStart(store.parts.connection, store.parts.deadlineNanos, HOUR.toNanos());
    private final List<String> gone = new ArrayList<>();

    private static RedisStore store(Duration connectWait, Throwable... failures) {
        return RedisStore.builder()
                .connector(new Pending(failures))
                .connectWait(connectWait)
                .build();
    }

    @AfterEach
    void close() {
        store.close();
    }

    @Test
    void deadline_ofTheFirstCalls_isTheSame() {
        assertThat(cold.deadline(1000)).isEqualTo(1000 + HOUR.toNanos());
        assertThat(cold.deadline(2000)).isEqualTo(1000 + HOUR.toNanos());
        long late = 1000 + HOUR.toNanos();
        assertThat(cold.deadline(late)).isEqualTo(late + store.parts.deadlineNanos);
    }

    @Test
    void deadline_withoutConnectWait_isTheUsualOne() {
        assertThat(new ColdStart(store.parts.connection, store.parts.deadlineNanos, 0).deadline(1000))
                .isEqualTo(1000 + store.parts.deadlineNanos);
    }

    @Test
    void hold_whenReady_runsInOrder() {
        AtomicBoolean ready = new AtomicBoolean();
        AtomicBoolean otherReady = new AtomicBoolean();
        assertThat(cold.hold(ready::get, () -> gone.add("first"))).isTrue();
        assertThat(cold.hold(otherReady::get, () -> gone.add("other"))).isTrue();
        assertThat(cold.hold(ready::get, () -> gone.add("second"))).isTrue();
        cold.release();
        assertThat(gone).isEmpty();
        ready.set(true);
        // A ready action does not overtake earlier actions.
        assertThat(cold.hold(ready::get, () -> gone.add("third"))).isTrue();
        assertThat(gone).containsExactly("first", "second", "third");
        otherReady.set(true);
        cold.release();
        assertThat(gone).endsWith("other");
        assertThat(cold.hold(ready::get, () -> gone.add("fourth"))).isFalse();
    }

    @Test
    void hold_afterAFailedAttempt_doesNotWait() {
        assertThat(cold.hold(() -> false, () -> gone.add("held"))).isTrue();
        cold.connectFailed();
        assertThat(gone).containsExactly("held");
        assertThat(cold.hold(() -> false, () -> gone.add("later"))).isFalse();
    }

    @Test
    void attempt_withoutAClearReason_doesNotCountAsARefusal() {
        try (RedisStore refused = store(Duration.ofMillis(1), new ConnectException("Connection refused"));
                RedisStore silent = store(Duration.ofMillis(1), new RedisCommandTimeoutException("no login"));
                RedisStore unclear = store(Duration.ofMillis(1), new RedisException("Connection disconnected"))) {
            assertThat(refused.parts.coldStart.hold(() -> false, () -> gone.add("refused")))
                    .isFalse();
            assertThat(silent.parts.coldStart.hold(() -> false, () -> gone.add("silent")))
                    .isTrue();
            assertThat(unclear.parts.coldStart.hold(() -> false, () -> gone.add("unclear")))
                    .isTrue();
        }
    }

    /** If the connection neither opens nor fails, calls are answered after the connect wait. */
    @Test
    void call_neverConnected_isAnsweredWithoutRedis() {
        try (RedisStore waiting = store(Duration.ofMillis(50))) {
            RateLimiter limiter = waiting.limiter("limiter", Limit.parse("1/s"));
            CompletableFuture<Boolean> later = limiter.tryAcquireAsync("key", 1).toCompletableFuture();
            assertThat(limiter.check("key").degraded()).isTrue();
            assertThat(waiting.decide(List.of(limiter.charge("key", 1)))
                            .each()
                            .get(0)
                            .degraded())
                    .isTrue();
            assertThat(later.join()).isTrue();
            assertThat(waiting.parts.coldStart.isOver()).isTrue();
        }
    }
}
