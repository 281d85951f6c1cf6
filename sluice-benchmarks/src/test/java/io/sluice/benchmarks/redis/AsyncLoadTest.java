package io.sluice.benchmarks.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.Decision;
import io.sluice.benchmarks.load.Load;
import io.sluice.benchmarks.load.Sample;
import java.time.Duration;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class AsyncLoadTest {
    private static final Duration SHORT = Duration.ofMillis(50);
    private static final Decision ALLOWED = Decision.allowed(1, 0, 0);

    @Test
    void load_keepsAsManyInFlight() throws InterruptedException {
        Queue<CompletableFuture<Decision>> waiting = new ConcurrentLinkedQueue<>();
        AtomicInteger most = new AtomicInteger();
        Thread redis = new Thread(() -> {
            while (!Thread.currentThread().isInterrupted()) {
                most.accumulateAndGet(waiting.size(), Math::max);
                CompletableFuture<Decision> next = waiting.poll();
                if (next != null) {
                    next.complete(ALLOWED);
                }
            }
        });
        redis.start();

        Sample sample = new AsyncLoad(5, () -> {
                    CompletableFuture<Decision> call = new CompletableFuture<>();
                    waiting.add(call);
                    return call;
                })
                .run(SHORT);
        redis.interrupt();
        redis.join();

        assertThat(most).hasValue(5);
        assertThat(sample.calls()).isGreaterThan(5);
        assertThat(waiting).isEmpty();
    }

    @Test
    void load_thatIsAnsweredWithoutRedis_endsInsteadOfGoingRound() throws InterruptedException {
        Sample sample = new AsyncLoad(5, () -> CompletableFuture.completedFuture(ALLOWED.asDegraded())).run(SHORT);

        assertThat(sample.calls()).isZero();
    }

    @Test
    void load_ofWhichACallIsDenied_fails() {
        Load load = new AsyncLoad(
                5,
                () -> CompletableFuture.supplyAsync(
                        () -> Decision.denied(0, 1, 1), CompletableFuture.delayedExecutor(1, TimeUnit.MILLISECONDS)));

        assertThatThrownBy(() -> load.run(SHORT)).hasMessageEndingWith("denied (expected: all admitted)");
    }
}
