package io.sluice.benchmarks.load;

import io.vertx.core.Future;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;

/**
 * A load of asynchronous calls with a fixed number in flight: each reply starts the next call of its chain.
 *
 * @param call makes the next call of a chain; its argument is the number of the chain
 */
public record ClosedLoopLoad(int inFlight, IntFunction<Future<?>> call) implements Load {
    private static final long PATIENCE_SECONDS = 10;

    @Override
    public Sample run(Duration time) throws InterruptedException {
        Run run = new Run();
        long started = System.nanoTime();
        for (int i = 0; i < inFlight; i++) {
            run.next(i);
        }
        TimeUnit.NANOSECONDS.sleep(time.toNanos());
        long calls = run.calls.sum();
        long nanos = System.nanoTime() - started;
        run.end();
        return new Sample(calls, nanos, run.latencies.p99Micros());
    }

    private final class Run {
        final LongAdder calls = new LongAdder();
        final Latencies latencies = new Latencies();
        private final CountDownLatch running = new CountDownLatch(inFlight);
        private final AtomicReference<@Nullable Throwable> failure = new AtomicReference<>();
        private volatile boolean stop;

        void next(int chain) {
            long sent = System.nanoTime();
            call.apply(chain).onComplete(answer -> {
                if (answer.failed()) {
                    failure.set(answer.cause());
                }
                if (stop || answer.failed()) {
                    running.countDown();
                    return;
                }
                calls.increment();
                latencies.add(System.nanoTime() - sent);
                next(chain);
            });
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
