package io.sluice.benchmarks.server;

import io.sluice.benchmarks.common.Median;
import io.sluice.benchmarks.common.ProgressLog;
import io.sluice.benchmarks.load.CaseResult;
import io.sluice.benchmarks.load.Measurement;
import io.sluice.testkit.redis.RedisProcess;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The processor time of a reserve with its settle, beside that of two checks: in memory, and with Redis. */
final class ReserveCase {
    static final String NAME = "reserve-settle";
    static final String CHECKS = "two checks";
    static final double MOST_RATIO = 2.2;

    private static final int IN_FLIGHT = 16;
    private static final String POLICIES = """
            version: 1
            policies:
              - { name: all, limit: 1000000000/d }
              - { name: tenant, key: [tenant], limit: 100000000/d }
            """;

    private final ProgressLog progress;
    private final int pairs;
    private final int rounds;
    private final HttpClient http =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

    ReserveCase(ProgressLog progress, boolean quick) {
        this.progress = progress;
        this.pairs = quick ? 10_000 : 20_000;
        this.rounds = quick ? 5 : 9;
    }

    List<CaseResult> rows() throws IOException {
        Path directory = Files.createTempDirectory("sluice-bench");
        try {
            Path policies = Files.writeString(directory.resolve("policies.yaml"), POLICIES);
            List<String> arguments =
                    List.of("serve", "--port", "0", "--resp-port", "0", "--config", policies.toString());
            List<CaseResult> rows = new ArrayList<>();
            try (ServerProcess server = start(arguments)) {
                rows.add(measure("memory", server, null));
            }
            try (RedisProcess redis = RedisProcess.start("--save", "")) {
                List<String> shared = new ArrayList<>(arguments);
                shared.addAll(List.of("--redis", redis.uri()));
                try (ServerProcess server = start(shared)) {
                    rows.add(measure("redis", server, redis));
                }
            }
            return rows;
        } finally {
            Directories.delete(directory);
        }
    }

    private static ServerProcess start(List<String> arguments) throws IOException {
        return ServerProcess.start(io.sluice.cli.Main.class, 2, arguments.toArray(String[]::new));
    }

    /** Both in turns, so that a busy moment of the machine meets both. */
    private CaseResult measure(String store, ServerProcess server, @Nullable RedisProcess redis) {
        List<Double> reserves = new ArrayList<>();
        List<Double> checks = new ArrayList<>();
        for (int round = -2; round < rounds; round++) {
            double check = nanosPerPair(
                    server,
                    redis,
                    () -> post(server, "check", CHECK).thenCompose(unused -> post(server, "check", CHECK)));
            double reserve = nanosPerPair(
                    server,
                    redis,
                    () -> post(server, "reserve", CHECK)
                            .thenCompose(answer -> post(
                                    server,
                                    "settle",
                                    "{\"reservation\":\"" + reservation(answer) + "\",\"permits\":3}")));
            if (round >= 0) {
                checks.add(check);
                reserves.add(reserve);
            }
        }
        double reserve = Median.of(reserves);
        double check = Median.of(checks);
        progress.log(String.format(
                Locale.ROOT,
                "%s: %.1f us for a reserve and its settle, %.1f for two checks",
                store,
                reserve / 1000,
                check / 1000));
        return new CaseResult(
                NAME + "-" + store + "-cpu-ns",
                new Measurement("Sluice", reserve, null),
                List.of(new Measurement(CHECKS, check, null)));
    }

    private static final String CHECK = "{\"attributes\":{\"tenant\":\"acme\"},\"permits\":5}";

    private static String reservation(String answer) {
        int from = answer.indexOf("\"reservation\":\"") + "\"reservation\":\"".length();
        return answer.substring(from, answer.indexOf('"', from));
    }

    private double nanosPerPair(
            ServerProcess server, @Nullable RedisProcess redis, Supplier<CompletableFuture<String>> pair) {
        Duration before = cpuTime(server, redis);
        List<CompletableFuture<?>> clients = new ArrayList<>();
        for (int client = 0; client < IN_FLIGHT; client++) {
            clients.add(repeat(pair, pairs / IN_FLIGHT));
        }
        clients.forEach(CompletableFuture::join);
        return (double) cpuTime(server, redis).minus(before).toNanos() / pairs;
    }

    private static CompletableFuture<?> repeat(Supplier<CompletableFuture<String>> pair, int times) {
        return times == 0
                ? CompletableFuture.completedFuture(null)
                : pair.get().thenComposeAsync(unused -> repeat(pair, times - 1));
    }

    private static Duration cpuTime(ServerProcess server, @Nullable RedisProcess redis) {
        Duration inRedis = redis == null
                ? Duration.ZERO
                : ProcessHandle.of(redis.pid())
                        .flatMap(process -> process.info().totalCpuDuration())
                        .orElse(Duration.ZERO);
        return server.cpuTime().plus(inRedis);
    }

    private CompletableFuture<String> post(ServerProcess server, String path, String body) {
        HttpRequest request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + server.port() + "/v1/" + path))
                .POST(BodyPublishers.ofString(body))
                .build();
        return http.sendAsync(request, BodyHandlers.ofString()).thenApply(ReserveCase::ok);
    }

    private static String ok(HttpResponse<String> response) {
        if (response.statusCode() != 200) {
            throw new IllegalStateException(response.statusCode() + " " + response.body() + " (expected: 200)");
        }
        return response.body();
    }
}
