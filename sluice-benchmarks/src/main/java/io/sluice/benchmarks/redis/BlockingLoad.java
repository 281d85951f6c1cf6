package io.sluice.benchmarks.redis;

import io.sluice.benchmarks.load.Latencies;
import io.sluice.benchmarks.load.Load;
import io.sluice.benchmarks.load.Sample;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * A load of threads that call, wait for the reply, and call again.
 *
 * @param timedEvery one of this many calls is timed; more than 1 where a call is almost as fast as the clock
 */
record BlockingLoad(int threads, int timedEvery, Call call) implements Load {
    BlockingLoad(int threads, Call call) {
        this(threads, 1, call);
    }

    @Override
    public Sample run(Duration time) throws InterruptedException {
        Latencies latencies = new Latencies();
        CountDownLatch start = new CountDownLatch(1);
        AtomicBoolean stop = new AtomicBoolean();
        ExecutorService crew = Executors.newFixedThreadPool(threads);
        try {
            List<Future<Long>> workers = new ArrayList<>();
            for (int i = 0; i < threads; i++) {
                workers.add(crew.submit(() -> {
                    start.await();
                    return work(latencies, stop);
                }));
            }
            long started = System.nanoTime();
            start.countDown();
            TimeUnit.NANOSECONDS.sleep(time.toNanos());
            stop.set(true);
            long nanos = System.nanoTime() - started;
            long calls = 0;
            for (Future<Long> worker : workers) {
                calls += worker.get();
            }
            return new Sample(calls, nanos, latencies.p99Micros());
        } catch (ExecutionException e) {
            throw new IllegalStateException("a call failed: " + e.getCause(), e);
        } finally {
            stop.set(true);
            crew.shutdown();
        }
    }

    /** Returns the number of calls that were answered before the end. */
    private long work(Latencies latencies, AtomicBoolean stop) {
        long calls = 0;
        for (int untilTimed = 1; ; untilTimed--) {
            boolean timed = untilTimed == 1;
            long sent = timed ? System.nanoTime() : 0;
            call.run();
            if (stop.get()) {
                return calls;
            }
            calls++;
            if (timed) {
                latencies.add(System.nanoTime() - sent);
                untilTimed = timedEvery + 1;
            }
        }
    }
}
