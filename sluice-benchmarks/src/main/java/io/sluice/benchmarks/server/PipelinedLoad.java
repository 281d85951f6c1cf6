package io.sluice.benchmarks.server;

import io.sluice.benchmarks.load.Latencies;
import io.sluice.benchmarks.load.Load;
import io.sluice.benchmarks.load.Sample;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Supplier;

/**
 * A pipelined RESP load, for machines without redis-benchmark. A thread for each connection sends some commands at once and
 * waits for all replies.
 *
 * @param commands the next commands of a connection
 * @param lines the number of lines in the reply to one command
 */
record PipelinedLoad(int port, int connections, int pipeline, int lines, Supplier<byte[]> commands) implements Load {
    @Override
    public Sample run(Duration time) throws InterruptedException {
        LongAdder calls = new LongAdder();
        Latencies latencies = new Latencies();
        AtomicBoolean stop = new AtomicBoolean();
        ExecutorService threads = Executors.newFixedThreadPool(connections);
        try {
            long started = System.nanoTime();
            List<Future<?>> running = new ArrayList<>();
            for (int i = 0; i < connections; i++) {
                running.add(threads.submit(() -> {
                    call(stop, calls, latencies);
                    return null;
                }));
            }
            Thread.sleep(time.toMillis());
            long done = calls.sum();
            long nanos = System.nanoTime() - started;
            stop.set(true);
            for (Future<?> each : running) {
                each.get();
            }
            return new Sample(done, nanos, latencies.p99Micros());
        } catch (ExecutionException e) {
            throw new IllegalStateException("a call failed: " + e.getCause(), e);
        } finally {
            threads.shutdownNow();
        }
    }

    private void call(AtomicBoolean stop, LongAdder calls, Latencies latencies) throws IOException {
        try (PipelinedSocket socket = new PipelinedSocket(port)) {
            while (!stop.get()) {
                long sent = System.nanoTime();
                socket.exchange(commands.get(), lines * pipeline);
                latencies.add(System.nanoTime() - sent);
                calls.add(pipeline);
            }
        }
    }
}
