package io.sluice.benchmarks.server;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.sluice.benchmarks.Progress;
import io.sluice.benchmarks.load.Figure;
import io.sluice.benchmarks.load.Row;
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

/** Replaces thousands of policies while requests go on: in memory, and with Redis on two replicas. */
final class ReloadCase {
    static final String NAME = "reload-5000";
    static final String WITHOUT = "without reloads";
    static final double MOST_MICROS = 25_000;

    private static final double MOST_STALL_MICROS = 20_000;
    private static final int WARM_UPS = 5;
    private static final int RELOADS = 20;
    private static final ManyPolicies POLICIES = new ManyPolicies(5000);
    private static final String TOKEN = "a-token-that-is-long-enough-for-the-bench";

    private final Progress progress;
    private final Duration calm;
    private final HttpClient admin = HttpClient.newHttpClient();

    /** Written ahead, so that the load does not compete with it for the processors. */
    private final Queue<String> editions = new ArrayDeque<>();

    ReloadCase(Progress progress, boolean quick) {
        this.progress = progress;
        this.calm = Duration.ofSeconds(quick ? 10 : 30);
    }

    List<Row> rows() throws IOException, InterruptedException {
        List<Row> rows = new ArrayList<>();
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
            try (Served memory = Served.start(io.sluice.cli.Main.class, 2, arguments)) {
                rows.addAll(measure("memory", List.of(memory)));
            }
            try (RedisProcess redis = RedisProcess.start("--save", "")) {
                String[] shared = Arrays.copyOf(arguments, arguments.length + 2);
                shared[arguments.length] = "--redis";
                shared[arguments.length + 1] = redis.uri();
                try (Served one = Served.start(io.sluice.cli.Main.class, 2, shared);
                        Served other = Served.start(io.sluice.cli.Main.class, 2, shared)) {
                    rows.addAll(measure("redis", List.of(one, other)));
                }
            }
        } finally {
            Directories.delete(directory);
        }
        return rows;
    }

    private List<Row> measure(String store, List<Served> servers) throws IOException, InterruptedException {
        List<Integer> ports = servers.stream().map(Served::port).toList();
        for (int i = 1; i <= WARM_UPS + RELOADS; i++) {
            editions.add(POLICIES.yaml(i));
        }
        try (SteadyLoad load = new SteadyLoad(ports, POLICIES::check)) {
            // Both the way of a request and that of a reload are to be warm.
            double capacity = capacity(load, ports);
            for (int i = 0; i < WARM_UPS; i++) {
                put(servers.get(i % servers.size()));
                capacity = Math.max(capacity, capacity(load, ports));
            }
            double rate = capacity / 5;
            progress.say(
                    String.format(Locale.ROOT, "%s: %.0f checks/s at most, %.0f from here on", store, capacity, rate));
            // What the compiler still has to do would pass for the cost of a calm time.
            during(load, rate, () -> TimeUnit.NANOSECONDS.sleep(3 * calm.toNanos()));
            longestStall(servers);
            SteadyLoad.Seen before = during(load, rate, () -> TimeUnit.NANOSECONDS.sleep(calm.toNanos()));
            longestStall(servers);
            SteadyLoad.Seen reloads = during(load, rate, () -> reload(servers));
            long stall = longestStall(servers);
            say(store + " without reloads", before);
            say(store + " with reloads", reloads);
            String name = NAME + "-" + store;
            return List.of(
                    new Row(
                            name + "-check-p999-us",
                            new Figure("Sluice", reloads.checks.p999Micros(), null),
                            List.of(new Figure(WITHOUT, before.checks.p999Micros(), null))),
                    new Row(
                            name + "-health-p999-us",
                            new Figure("Sluice", reloads.health.p999Micros(), null),
                            List.of(new Figure(WITHOUT, before.health.p999Micros(), null))),
                    bounded(name + "-degraded", (double) reloads.degraded.get(), 0),
                    bounded(name + "-failed", (double) reloads.failed.get(), 0),
                    bounded(name + "-blocked-us", (double) stall, MOST_STALL_MICROS));
        }
    }

    private static Row bounded(String name, double actual, double most) {
        return new Row(name, new Figure("Sluice", actual, null), List.of(new Figure(ServerLineUp.BOUND, most, null)));
    }

    private void say(String when, SteadyLoad.Seen seen) {
        progress.say(String.format(
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

    private static double capacity(SteadyLoad load, List<Integer> ports) throws InterruptedException {
        Chains chains = new Chains(32, chain -> load.check(ports.get(chain % ports.size())));
        return chains.run(Duration.ofSeconds(2)).perSecond();
    }

    private interface Work {
        void run() throws IOException, InterruptedException;
    }

    private static SteadyLoad.Seen during(SteadyLoad load, double rate, Work work)
            throws IOException, InterruptedException {
        SteadyLoad.Seen seen = new SteadyLoad.Seen();
        Thread calling = new Thread(() -> load.run(rate, seen), "steady-load");
        calling.start();
        try {
            work.run();
        } finally {
            calling.interrupt();
            calling.join();
        }
        // What is under way counts too.
        TimeUnit.SECONDS.sleep(1);
        return seen;
    }

    /** Half of them with pauses, half in a row, on all servers in turn. */
    private void reload(List<Served> servers) throws IOException, InterruptedException {
        long took = 0;
        for (int i = 0; i < RELOADS; i++) {
            long began = System.nanoTime();
            put(servers.get(i % servers.size()));
            took += System.nanoTime() - began;
            if (i < RELOADS / 2) {
                TimeUnit.SECONDS.sleep(1);
            }
        }
        progress.say(RELOADS + " reloads, each in " + took / RELOADS / 1_000_000 + " ms");
        TimeUnit.SECONDS.sleep(2);
    }

    private void put(Served server) throws IOException, InterruptedException {
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

    private static long longestStall(List<Served> servers) throws IOException {
        long longest = 0;
        for (Served server : servers) {
            longest = Math.max(longest, server.longestStallMicros());
        }
        return longest;
    }
}
