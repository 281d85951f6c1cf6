package io.sluice.cli.serve;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.cli.PolicyFixtures;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A packaged server with a small heap, flooded with the largest keys. */
class MaxKeysIT {
    private static final int HEAP_MEBIBYTES = 128;

    /** A text of 190 characters with two bytes each, and the minimum memory of such a key. */
    private static final String LONG = "\u4e00".repeat(182);

    private static final int LEAST_BYTES = 600;
    private static final int OF_A_BATCH = 100;

    @TempDir
    Path directory;

    @Test
    void floodOfSlidingLogsWithLongKeys_moreThanTheHeapHolds_isSurvivedAndCounted() {
        Path policies = PolicyFixtures.file(
                directory,
                "policies.yaml",
                "  - { name: per-user, key: [user], limit: sliding-log 20 per 1d lockout 1d }\n");
        List<String> jvm = List.of("-Xmx" + HEAP_MEBIBYTES + "m", "-XX:+UseG1GC", "-XX:+ExitOnOutOfMemoryError");
        try (ServerProcess server = ServerProcess.start(jvm, Map.of(), "--config", policies.toString())) {
            server.port();
            long cap = cap(server.log());
            long enough = ((long) HEAP_MEBIBYTES << 20) / LEAST_BYTES;
            assertThat(cap).isBetween(enough / 10, enough / 2);
            assertThat(Http.check(server, user("victim"), 20).body()).contains("\"allowed\":true");

            for (int sent = 0; sent < enough; sent += OF_A_BATCH) {
                int from = sent;
                String checks = IntStream.range(from, from + OF_A_BATCH)
                        .mapToObj(i -> "{\"attributes\":{" + user(LONG + (10_000_000 + i)) + "}}")
                        .collect(Collectors.joining(","));
                assertThat(Http.post(server, "/v1/check:batch", "{\"checks\":[" + checks + "]}")
                                .statusCode())
                        .isEqualTo(200);
            }

            String metrics = Http.get(server, "/metrics").body();
            assertThat(metric(metrics, "sluice_keys")).isBetween(cap / 2, cap + cap / 64);
            assertThat(metric(metrics, "sluice_evictions_total{policy=\"per-user\"}"))
                    .isEqualTo(metric(metrics, "sluice_keys_evictions_total"))
                    .isGreaterThan(cap);
            assertThat(Http.check(server, user("victim"), 1).body())
                    .as("used up before the flood, and still")
                    .contains("\"allowed\":false");
        }
    }

    private static String user(String name) {
        return "\"user\":\"" + name + "\"";
    }

    private static long cap(String log) {
        Matcher cap = Pattern.compile(
                        "memory, at most (\\d+) keys \\(derived from a heap of " + HEAP_MEBIBYTES + " MiB\\)")
                .matcher(log);
        assertThat(cap.find()).as(log).isTrue();
        return Long.parseLong(cap.group(1));
    }

    private static long metric(String metrics, String name) {
        Matcher value =
                Pattern.compile("(?m)^" + Pattern.quote(name) + " (\\S+)$").matcher(metrics);
        assertThat(value.find()).as(name + " in " + metrics).isTrue();
        return (long) Double.parseDouble(value.group(1));
    }
}
