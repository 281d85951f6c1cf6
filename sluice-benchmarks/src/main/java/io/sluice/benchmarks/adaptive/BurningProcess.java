package io.sluice.benchmarks.adaptive;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.sluice.Limit;
import io.sluice.Permit;
import io.sluice.RateLimiter;
import io.sluice.benchmarks.adaptive.SvgPlot.Line;
import io.sluice.benchmarks.common.JavaProcess;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * A real process: a JVM with one CPU and an HTTP handler that burns 10 ms of it, at three times what that can do, with {@code
 * concurrency adaptive} and without. Clients wait one second at most.
 */
final class BurningProcess {
    private static final int SECONDS = 30;
    private static final long BURN_NANOS = 10_000_000;
    private static final int PER_SECOND = 300;
    private static final Duration PATIENCE = Duration.ofSeconds(1);

    private final @Nullable Path plot;

    BurningProcess(@Nullable Path plot) {
        this.plot = plot;
    }

    /** The server: its argument is the limit. It prints its port. */
    public static void main(String... arguments) throws IOException {
        RateLimiter limiter = RateLimiter.of(Limit.parse(arguments[0]));
        HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 4096);
        server.createContext("/", exchange -> handle(exchange, limiter));
        // As many threads as requests: what waits, waits for the CPU.
        server.setExecutor(Executors.newCachedThreadPool());
        server.start();
        System.out.println(server.getAddress().getPort());
        System.out.flush();
    }

    private static void handle(HttpExchange exchange, RateLimiter limiter) throws IOException {
        if (!limiter.limitsConcurrency()) {
            burn();
            exchange.sendResponseHeaders(200, -1);
        } else {
            Optional<Permit> entered = limiter.tryEnter("");
            if (entered.isEmpty()) {
                exchange.sendResponseHeaders(503, -1);
            } else {
                try (Permit permit = entered.get()) {
                    burn();
                    exchange.sendResponseHeaders(permit.isHeld() ? 200 : 500, -1);
                }
            }
        }
        exchange.close();
    }

    private static void burn() {
        java.lang.management.ThreadMXBean threads = java.lang.management.ManagementFactory.getThreadMXBean();
        long end = threads.getCurrentThreadCpuTime() + BURN_NANOS;
        while (threads.getCurrentThreadCpuTime() < end) {
            Thread.onSpinWait();
        }
    }

    void measure(PrintStream out) throws IOException, InterruptedException {
        out.println("limit,offered_per_s,good_per_s,p50_ms,p99_ms,denied_per_s,timed_out_per_s");
        Result with = run("concurrency adaptive");
        Result without = run("unlimited");
        with.print("concurrency adaptive", out);
        without.print("unlimited", out);
        if (plot != null) {
            Files.createDirectories(plot);
            Files.writeString(
                    plot.resolve("adaptive-process.svg"),
                    new SvgPlot(SECONDS)
                            .panel(
                                    "a real process: good responses per second",
                                    150,
                                    List.of(
                                            new Line("adaptive", second -> with.good.get(second)),
                                            new Line("unlimited", second -> without.good.get(second))))
                            .panel(
                                    "mean latency of good responses, ms",
                                    1000,
                                    List.of(
                                            new Line("adaptive", with::meanMillis),
                                            new Line("unlimited", without::meanMillis)))
                            .toString());
        }
    }

    private static Result run(String limit) throws IOException, InterruptedException {
        Process server = JavaProcess.of(List.of("-XX:ActiveProcessorCount=1", "-Xmx256m"), BurningProcess.class, limit)
                .start();
        try (BufferedReader lines =
                new BufferedReader(new InputStreamReader(server.getInputStream(), StandardCharsets.UTF_8))) {
            pinToOneCpu(server.pid());
            URI uri = URI.create("http://127.0.0.1:" + lines.readLine() + "/");
            Result result = new Result();
            HttpClient client =
                    HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
            long start = System.nanoTime();
            for (int i = 0; i < SECONDS * PER_SECOND; i++) {
                long due = start + i * 1_000_000_000L / PER_SECOND;
                while (System.nanoTime() < due) {
                    LockSupport.parkNanos(due - System.nanoTime());
                }
                HttpRequest request =
                        HttpRequest.newBuilder(uri).timeout(PATIENCE).build();
                client.sendAsync(request, BodyHandlers.discarding())
                        .handle((response, failure) -> result.ended(
                                (int) ((System.nanoTime() - start) / 1_000_000_000L),
                                System.nanoTime() - due,
                                response == null ? 0 : response.statusCode()));
            }
            Thread.sleep(PATIENCE.plusMillis(500).toMillis());
            return result;
        } finally {
            server.destroyForcibly().waitFor();
        }
    }

    private static void pinToOneCpu(long pid) throws IOException, InterruptedException {
        new ProcessBuilder("taskset", "-acp", "0", String.valueOf(pid))
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start()
                .waitFor();
    }

    private static final class Result {
        final AtomicLongArray good = new AtomicLongArray(SECONDS);
        private final AtomicLongArray sums = new AtomicLongArray(SECONDS);
        private final AtomicLongArray latencies = new AtomicLongArray(SECONDS * PER_SECOND);
        private final AtomicInteger answered = new AtomicInteger();
        private final AtomicLong denied = new AtomicLong();
        private final AtomicLong failed = new AtomicLong();

        @Nullable
        Void ended(int second, long nanos, int status) {
            if (status == 503) {
                denied.incrementAndGet();
            } else if (status != 200 || nanos > PATIENCE.toNanos()) {
                failed.incrementAndGet();
            } else {
                latencies.set(answered.getAndIncrement(), nanos);
                if (second < SECONDS) {
                    good.incrementAndGet(second);
                    sums.addAndGet(second, nanos);
                }
            }
            return null;
        }

        double meanMillis(int second) {
            return good.get(second) == 0 ? PATIENCE.toMillis() : sums.get(second) / 1e6 / good.get(second);
        }

        void print(String limit, PrintStream out) {
            long[] sorted = new long[answered.get()];
            Arrays.setAll(sorted, latencies::get);
            Arrays.sort(sorted);
            out.println(String.format(
                    Locale.ROOT,
                    "%s,%d,%.0f,%.0f,%.0f,%.0f,%.0f",
                    limit,
                    PER_SECOND,
                    sorted.length / (double) SECONDS,
                    percentile(sorted, 50),
                    percentile(sorted, 99),
                    denied.get() / (double) SECONDS,
                    failed.get() / (double) SECONDS));
        }

        private static double percentile(long[] sorted, int percentile) {
            return sorted.length == 0 ? Double.NaN : sorted[sorted.length * percentile / 100] / 1e6;
        }
    }
}
