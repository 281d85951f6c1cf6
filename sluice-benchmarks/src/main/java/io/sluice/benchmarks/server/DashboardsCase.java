package io.sluice.benchmarks.server;

import io.sluice.benchmarks.common.ProgressLog;
import io.sluice.benchmarks.load.CaseResult;
import io.sluice.benchmarks.load.Measurement;
import io.sluice.testkit.redis.RedisProcess;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;

/** The processor time of an idle server while 50 dashboards are open: in memory, and with Redis. */
final class DashboardsCase {
    static final String NAME = "dashboards-50";

    /** Milliseconds of processor time in a second: 5% of a core. */
    static final double MOST_MILLIS = 50;

    private static final int DASHBOARDS = 50;
    private static final String TOKEN = "a-token-that-is-long-enough-for-the-bench";

    private final ProgressLog progress;
    private final Duration calm;
    private final HttpClient http =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

    DashboardsCase(ProgressLog progress, boolean quick) {
        this.progress = progress;
        this.calm = Duration.ofSeconds(quick ? 10 : 30);
    }

    List<CaseResult> rows() throws IOException, InterruptedException {
        Path directory = Files.createTempDirectory("sluice-bench");
        try {
            Path token = Files.writeString(directory.resolve("token"), TOKEN);
            List<String> arguments =
                    List.of("serve", "--port", "0", "--resp-port", "0", "--admin-token-file", token.toString());
            List<CaseResult> rows = new ArrayList<>();
            rows.add(measure("memory", arguments));
            try (RedisProcess redis = RedisProcess.start("--save", "")) {
                List<String> shared = new ArrayList<>(arguments);
                shared.addAll(List.of("--redis", redis.uri()));
                rows.add(measure("redis", shared));
            }
            return rows;
        } finally {
            Directories.delete(directory);
        }
    }

    private CaseResult measure(String store, List<String> arguments) throws IOException, InterruptedException {
        try (ServerProcess server =
                ServerProcess.start(io.sluice.cli.Main.class, 2, arguments.toArray(String[]::new))) {
            double without = millisPerSecond(server);
            List<InputStream> streams = new ArrayList<>();
            for (int i = 0; i < DASHBOARDS; i++) {
                streams.add(open(server, "/v1/live/stream"));
                open(server, "/v1/live").close();
            }
            double with = millisPerSecond(server);
            for (InputStream stream : streams) {
                requireTicks(stream);
                stream.close();
            }
            progress.log(String.format(
                    Locale.ROOT,
                    "%s: %.1f ms of processor time in a second, %.1f with %d dashboards",
                    store,
                    without,
                    with,
                    DASHBOARDS));
            return new CaseResult(
                    NAME + "-" + store + "-cpu-ms",
                    new Measurement("Sluice", with, null),
                    List.of(new Measurement(ServerContestants.BOUND, MOST_MILLIS, null)));
        }
    }

    private InputStream open(ServerProcess server, String path) throws IOException, InterruptedException {
        HttpRequest get = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + server.port() + path))
                .header("Authorization", "Bearer " + TOKEN)
                .build();
        HttpResponse<InputStream> response = http.send(get, BodyHandlers.ofInputStream());
        if (response.statusCode() != 200) {
            throw new IllegalStateException(path + ": status " + response.statusCode() + " (expected: 200)");
        }
        return response.body();
    }

    /** A server that has closed the streams, or sends nothing, would need no time. */
    private static void requireTicks(InputStream stream) throws IOException {
        BufferedReader lines = new BufferedReader(new InputStreamReader(stream, StandardCharsets.UTF_8));
        for (String line = lines.readLine(); !"event: tick".equals(line); line = lines.readLine()) {
            if (line == null) {
                throw new IllegalStateException("a stream of a dashboard ended without a tick");
            }
        }
    }

    /** Waits first, until the server has started and its code is compiled. */
    private double millisPerSecond(ServerProcess server) throws InterruptedException {
        TimeUnit.NANOSECONDS.sleep(calm.toNanos());
        Duration before = server.cpuTime();
        long began = System.nanoTime();
        TimeUnit.NANOSECONDS.sleep(calm.toNanos());
        return (double) server.cpuTime().minus(before).toNanos() / (System.nanoTime() - began) * 1000;
    }
}
