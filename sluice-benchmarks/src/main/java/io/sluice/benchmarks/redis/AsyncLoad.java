package io.sluice.benchmarks.redis;

import io.sluice.Decision;
import io.sluice.benchmarks.common.Expect;
import io.sluice.benchmarks.load.Latencies;
import io.sluice.benchmarks.load.Load;
import io.sluice.benchmarks.load.Sample;
import java.time.Duration;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/*
 * There is one chain for each call in flight. Each reply starts the next call of its chain, on the thread of the reply. So no
 * thread waits, and the number of calls in flight stays the same.
 */
/** A load of asynchronous calls with a fixed number in flight. */
record AsyncLoad(int inFlight, Supplier<CompletionStage<Decision>> call) implements Load {
    private static final long PATIENCE_SECONDS = 10;

    @Override
    public Sample run(Duration time) throws InterruptedException {
        Chains chains = new Chains();
        long started = System.nanoTime();
        for (int i = 0; i < inFlight; i++) {
            chains.next();
        }
        TimeUnit.NANOSECONDS.sleep(time.toNanos());
        long calls = chains.calls.sum();
        long nanos = System.nanoTime() - started;
        chains.end();
        return new Sample(calls, nanos, chains.latencies.p99Micros());
    }

    private final class Chains {
        final LongAdder calls = new LongAdder();
        final Latencies latencies = new Latencies();
        private final CountDownLatch running = new CountDownLatch(inFlight);
        private final AtomicReference<@Nullable Throwable> failure = new AtomicReference<>();
        private volatile boolean stop;

        void next() {
            long sent = System.nanoTime();
            call.get().whenComplete((decision, thrown) -> {
                try {
                    answered(sent, decision, thrown);
                } catch (RuntimeException e) {
                    failure.set(e);
                    running.countDown();
                }
            });
        }

        private void answered(long sent, Decision decision, @Nullable Throwable thrown) {
            if (thrown != null) {
                throw new IllegalStateException(thrown);
            }
            Expect.admitted(decision.allowed());
            if (stop || decision.degraded()) {
                running.countDown();
                return;
            }
            calls.increment();
            latencies.add(System.nanoTime() - sent);
            next();
        }

        void end() throws InterruptedException {
            stop = true;
            boolean all = running.await(PATIENCE_SECONDS, TimeUnit.SECONDS);
            Throwable thrown = failure.get();
            if (thrown != null) {
                throw new IllegalStateException("a call failed: " + thrown, thrown);
            } else if (!all) {
                throw new IllegalStateException(running.getCount() + " calls were never answered");
            }
        }
    }
}
