package io.sluice.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The lines that a server logs when it starts. */
class StartLogTest {
    @TempDir
    private Path folder;

    /** The lines before the first "listening on". */
    private static List<String> started(ServerConfig.Builder config) {
        try (CapturedServerLog log = new CapturedServerLog();
                SluiceServer server = SluiceServer.start(config.build())) {
            assertThat(server.port()).isPositive();
            return log.lines().stream()
                    .takeWhile(line -> !line.startsWith("listening on "))
                    .toList();
        }
    }

    @Test
    void withoutSettings_logsTheSampleTheMemoryStoreAndLoopback() {
        assertThat(started(AdminClient.config()))
                .containsExactly(
                        "policies: 3, from the built-in sample: everything (token-bucket 1000/s burst 2000),"
                                + " per-tenant (token-bucket 10/s burst 20), login (sliding-log 5/min lockout 5m)",
                        "store: memory, at most " + KeyMemory.keys() + " keys (" + KeyMemory.description()
                                + "), lost at a restart (to keep them: --data-dir)",
                        "trusted proxies: 127.0.0.0/8, ::1/128 (--trusted-proxies)");
    }

    @Test
    void file_isLoggedWithItsPolicies() throws IOException {
        Path file = Files.writeString(folder.resolve("p.yaml"), """
                version: 1
                policies:
                  - name: a
                    key: [t]
                    limit: 5/s
                    mode: shadow
                    overrides: [{ match: { t: x }, limit: 6/s }, { match: { t: y }, limit: unlimited }]
                  - { name: "{0}", limit: blocked, mode: off }
                """);
        assertThat(started(AdminClient.config().policies(file).trusted(List.of())))
                .containsSequence(
                        "policies: 2, from " + file + ": a (token-bucket 5/s, 2 overrides, shadow), {0} (blocked, off)")
                .last()
                .isEqualTo("trusted proxies: none, so forwarded headers never count (--trusted-proxies)");
    }

    @Test
    void manyPolicies_areCountedAndTheFirstNamed() throws IOException {
        Path file = Files.writeString(
                folder.resolve("p.yaml"),
                IntStream.rangeClosed(1, 22)
                        .mapToObj(i -> "  - { name: p" + i + ", key: [t" + i + "], limit: 5/s }\n")
                        .collect(Collectors.joining("", "version: 1\npolicies:\n", "")));
        assertThat(started(AdminClient.config().policies(file)).get(0))
                .startsWith("policies: 22, from " + file + ": p1 (token-bucket 5/s), ")
                .endsWith(", p20 (token-bucket 5/s), and 2 more");
        Files.writeString(file, "version: 1\npolicies: []\n");
        assertThat(started(AdminClient.config().policies(file)).get(0))
                .isEqualTo("policies: 0, from " + file + " (every request is allowed)");
    }

    @Test
    void dataDir_isLogged_withTheUploadedPolicies() {
        ServerConfig.Builder config = AdminClient.config().dataDir(folder).maxKeys(1000);
        assertThat(started(config)).contains("store: memory, at most 1000 keys, kept in " + folder);
        try (SluiceServer server = SluiceServer.start(config.build())) {
            new AdminClient(server.port()).put(TestPolicies.limit(7), "*");
        }
        assertThat(started(config))
                .contains("policies: 1, from the policies uploaded before, in " + folder + ": all (sliding-log 7/d)");
    }

    @Test
    void envoyConfig_isLogged() throws IOException {
        Files.writeString(folder.resolve("a.yaml"), """
                domain: edge
                descriptors:
                  - key: tenant
                    rate_limit: { unit: second, requests_per_unit: 5 }
                """);
        assertThat(started(AdminClient.config().envoyConfig(folder)).get(0))
                .startsWith("policies: 1, from the files in " + folder + ": ");
    }

    @Test
    void redisThatIsAway_isLoggedWithoutItsPassword() {
        List<String> lines = started(
                AdminClient.config().redis("redis://me:secret@127.0.0.1:1/3").redisPrefix("p"));
        assertThat(lines).contains("store: Redis at redis://127.0.0.1:1/3, keys begin with p; it does not answer yet");
        assertThat(lines.toString()).doesNotContain("secret").contains("from the built-in sample");
    }

    @Test
    void dataDir_withRedis_isLoggedAsUnused() {
        assertThat(started(AdminClient.config().redis("redis://127.0.0.1:1").dataDir(folder)))
                .anyMatch(line -> line.startsWith("store: Redis at redis://127.0.0.1:1, keys begin with sluice"
                        + " (--data-dir is not used: Redis keeps everything)"));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            redis://host                             | redis://host
            redis://:pass@host:6379/0?timeout=5s     | redis://host:6379/0
            rediss://user:pass@[2001:db8::1]:6380    | rediss://[2001:db8::1]:6380
            redis-sentinel://pass@a:1,b:2/1#main     | redis-sentinel://a:1,b:2/1#main
            redis://:pa@ss@host                      | redis://...
            redis://:pa/ss@host                      | redis://...
            redis://:pa#ss@host                      | redis://...
            redis-socket:///run/redis?password=pass  | redis-socket://...
            pass                                     | ...
            """)
    void redisAddress_isLoggedWithoutSecrets(String uri, String shown) {
        assertThat(RedisAddress.withoutSecrets(uri)).isEqualTo(shown);
    }
}
