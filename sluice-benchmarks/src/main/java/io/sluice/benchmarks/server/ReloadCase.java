package io.sluice.benchmarks.server;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.sluice.benchmarks.common.ProgressLog;
import io.sluice.benchmarks.load.CaseResult;
import io.sluice.benchmarks.load.ClosedLoopLoad;
import io.sluice.benchmarks.load.Measurement;
import io.sluice.testkit.redis.RedisProcess;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Queue;
import java.util.concurrent.TimeUnit;

/** Replaces thousands of policies under load: on one server in memory, and on two replicas with Redis. */
final class ReloadCase {
    static final String NAME = "reload-5000";
    static final String WITHOUT = "without reloads";
    static final double MOST_MICROS = 25_000;

    private static final double MOST_STALL_MICROS = 20_000;
    private static final int WARM_UPS = 5;
    private static final int RELOADS = 20;
    private static final ManyPolicies POLICIES = new ManyPolicies(5000);
    private static final String TOKEN = "a-token-that-is-long-enough-for-the-bench";

    private final ProgressLog progress;
    private final Duration calm;
    private final HttpClient admin = HttpClient.newHttpClient();

    /** The texts are written before the load starts, so that they do not compete with it for the processors. */
    private final Queue<String> editions = new ArrayDeque<>();

    ReloadCase(ProgressLog progress, boolean quick) {
        this.progress = progress;
        this.calm = Duration.ofSeconds(quick ? 10 : 30);
    }

    List<CaseResult> rows() throws IOException, InterruptedException {
        List<CaseResult> rows = new ArrayList<>();
        Path directory = Files.createTempDirectory("sluice-bench");
        try {
            Path token = Files.writeString(directory.resolve("token"), TOKEN);
            Path policies = Files.writeString(directory.resolve("policies.yaml"), POLICIES.yaml(0));
            String[] arguments = {
                "serve",
                "--port",
                "0",
                "--resp-port",
                "0",
                "--admin-token-file",
                token.toString(),
                "--config",
                policies.toString()
            };
            try (ServerProcess memory = ServerProcess.start(io.sluice.cli.Main.class, 2, arguments)) {
                rows.addAll(measure("memory", List.of(memory)));
            }
            try (RedisProcess redis = RedisProcess.start("--save", "")) {
                String[] shared = Arrays.copyOf(arguments, arguments.length + 2);
                shared[arguments.length] = "--redis";
                shared[arguments.length + 1] = redis.uri();
                try (ServerProcess one = ServerProcess.start(io.sluice.cli.Main.class, 2, shared);
                        ServerProcess other = ServerProcess.start(io.sluice.cli.Main.class, 2, shared)) {
                    rows.addAll(measure("redis", List.of(one, other)));
                }
            }
        } finally {
            Directories.delete(directory);
        }
        return rows;
    }

    private List<CaseResult> measure(String store, List<ServerProcess> servers)
            throws IOException, InterruptedException {
        List<Integer> ports = servers.stream().map(ServerProcess::port).toList();
        for (int i = 1; i <= WARM_UPS + RELOADS; i++) {
            editions.add(POLICIES.yaml(i));
        }
        try (ConstantRateLoad load = new ConstantRateLoad(ports, POLICIES::check)) {
            // Warms up both requests and reloads.
            double capacity = capacity(load, ports);
            for (int i = 0; i < WARM_UPS; i++) {
                put(servers.get(i % servers.size()));
                capacity = Math.max(capacity, capacity(load, ports));
            }
            double rate = capacity / 5;
            progress.log(String.format(
                    Locale.ROOT, "%s: at most %.0f checks/s, the load is %.0f checks/s", store, capacity, rate));
            // Gives the JIT compiler time. Its work would distort the time without reloads.
            during(load, rate, () -> TimeUnit.NANOSECONDS.sleep(3 * calm.toNanos()));
            longestStall(servers);
            ConstantRateLoad.Seen before = during(load, rate, () -> TimeUnit.NANOSECONDS.sleep(calm.toNanos()));
            longestStall(servers);
            ConstantRateLoad.Seen reloads = during(load, rate, () -> reload(servers));
            long stall = longestStall(servers);
            say(store + " without reloads", before);
            say(store + " with reloads", reloads);
            String name = NAME + "-" + store;
            return List.of(
                    new CaseResult(
                            name + "-check-p999-us",
                            new Measurement("Sluice", reloads.checks.p999Micros(), null),
                            List.of(new Measurement(WITHOUT, before.checks.p999Micros(), null))),
                    new CaseResult(
                            name + "-health-p999-us",
                            new Measurement("Sluice", reloads.health.p999Micros(), null),
                            List.of(new Measurement(WITHOUT, before.health.p999Micros(), null))),
                    bounded(name + "-degraded", (double) reloads.degraded.get(), 0),
                    bounded(name + "-failed", (double) reloads.failed.get(), 0),
                    bounded(name + "-blocked-us", (double) stall, MOST_STALL_MICROS));
        }
    }

    private static CaseResult bounded(String name, double actual, double most) {
        return new CaseResult(
                name,
                new Measurement("Sluice", actual, null),
                List.of(new Measurement(ServerContestants.BOUND, most, null)));
    }

    private void say(String when, ConstantRateLoad.Seen seen) {
        progress.log(String.format(
                Locale.ROOT,
                "%s: %d checks, p99 %.0f us, p99.9 %.0f us, longest %.0f us; health p99.9 %.0f us, longest %.0f us; %d"
                        + " degraded, %d failed",
                when,
                seen.answered.get(),
                seen.checks.p99Micros(),
                seen.checks.p999Micros(),
                seen.checks.maxMicros(),
                seen.health.p999Micros(),
                seen.health.maxMicros(),
                seen.degraded.get(),
                seen.failed.get()));
    }

    private static double capacity(ConstantRateLoad load, List<Integer> ports) throws InterruptedException {
        ClosedLoopLoad chains = new ClosedLoopLoad(32, chain -> load.check(ports.get(chain % ports.size())));
        return chains.run(Duration.ofSeconds(2)).perSecond();
    }

    private interface Work {
        void run() throws IOException, InterruptedException;
    }

    private static ConstantRateLoad.Seen during(ConstantRateLoad load, double rate, Work work)
            throws IOException, InterruptedException {
        ConstantRateLoad.Seen seen = new ConstantRateLoad.Seen();
        Thread calling = new Thread(() -> load.run(rate, seen), "steady-load");
        calling.start();
        try {
            work.run();
        } finally {
            calling.interrupt();
            calling.join();
        }
        // Requests in flight count too.
        TimeUnit.SECONDS.sleep(1);
        return seen;
    }

    /** Reloads the policies on all servers in turn, half of the times with pauses and half without. */
    private void reload(List<ServerProcess> servers) throws IOException, InterruptedException {
        long took = 0;
        for (int i = 0; i < RELOADS; i++) {
            long began = System.nanoTime();
            put(servers.get(i % servers.size()));
            took += System.nanoTime() - began;
            if (i < RELOADS / 2) {
                TimeUnit.SECONDS.sleep(1);
            }
        }
        progress.log(RELOADS + " reloads, each in " + took / RELOADS / 1_000_000 + " ms");
        TimeUnit.SECONDS.sleep(2);
    }

    private void put(ServerProcess server) throws IOException, InterruptedException {
        HttpRequest put = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + server.port() + "/v1/policies"))
                .header("Authorization", "Bearer " + TOKEN)
                .header("If-Match", "*")
                .timeout(Duration.ofSeconds(30))
                .PUT(HttpRequest.BodyPublishers.ofString(editions.remove()))
                .build();
        HttpResponse<String> answer = admin.send(put, HttpResponse.BodyHandlers.ofString(UTF_8));
        if (answer.statusCode() != 200) {
            throw new IOException("PUT /v1/policies: " + answer.statusCode() + " " + answer.body());
        }
    }

    private static long longestStall(List<ServerProcess> servers) throws IOException {
        long longest = 0;
        for (ServerProcess server : servers) {
            longest = Math.max(longest, server.longestStallMicros());
        }
        return longest;
    }
}
