package io.sluice.cli.serve;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.testkit.Eventually;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The state of the memory store survives a restart in a data directory. */
class ServeRestartIT {
    private static final String TENANT = "\"tenant\":\"acme\"";

    @TempDir
    Path directory;

    private Path policies;
    private Path data;

    @BeforeEach
    void write() throws IOException {
        data = directory.resolve("data");
        policies = Files.writeString(
                directory.resolve("policies.yaml"),
                "version: 1\npolicies:\n  - { name: slow, key: [tenant], limit: 1/h burst 10 }\n");
    }

    private ServerProcess start(String... options) {
        Stream<String> all = Stream.concat(
                Stream.of("--config", policies.toString(), "--data-dir", data.toString()), Stream.of(options));
        return ServerProcess.start(all.toArray(String[]::new));
    }

    @Test
    void stopAndStart_goesOn_withTheTimeBetween() throws Exception {
        Instant asked = Instant.now();
        String before;
        try (ServerProcess server = start()) {
            before = Http.check(server, TENANT, 7).body();
            assertThat(Http.number(before, "remaining")).isEqualTo(3);
            assertThat(server.stop()).isZero();
        }
        Instant answered = Instant.now();

        try (ServerProcess server = start()) {
            server.port();
            Instant askedAgain = Instant.now();
            String after = Http.check(server, TENANT, 0).body();
            Instant answeredAgain = Instant.now();

            assertThat(Http.number(after, "remaining")).isEqualTo(3);
            long passed = Http.number(before, "reset_after_us") - Http.number(after, "reset_after_us");
            assertThat(passed)
                    .isBetween(
                            Duration.between(answered, askedAgain).toMillis() * 1000 - 2000,
                            Duration.between(asked, answeredAgain).toMillis() * 1000 + 2000);
            assertThat(Http.check(server, TENANT, 4).body()).contains("\"violated\":[\"slow\"]");
            assertThat(server.log()).contains("restored, with 1 keys of ");
        }
    }

    @Test
    void kill_losesNoMoreThanTheLastMoments() throws Exception {
        try (ServerProcess server = start("--snapshot-every", "20ms")) {
            Http.check(server, TENANT, 7);
            for (int i = 0; i < 2; i++) {
                Object before = written();
                Eventually.await("it is saved", () -> {
                    Http.check(server, TENANT, 0);
                    return !written().equals(before);
                });
            }
            server.kill();
        }
        try (ServerProcess server = start()) {
            assertThat(Http.number(Http.check(server, TENANT, 0).body(), "remaining"))
                    .isEqualTo(3);
        }
    }

    private Object written() {
        try {
            Path file = data.resolve("snapshot");
            return Files.exists(file) ? Files.getLastModifiedTime(file) : "none";
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Test
    void brokenSnapshot_isSetAside_andTheServerStarts() throws Exception {
        Files.createDirectories(data);
        Files.writeString(data.resolve("snapshot"), "no snapshot");

        try (ServerProcess server = start()) {
            assertThat(Http.number(Http.check(server, TENANT, 1).body(), "remaining"))
                    .isEqualTo(9);
            assertThat(server.log()).contains("cannot be used, and the server begins with nothing counted");
            assertThat(server.stop()).isZero();
        }
        try (Stream<Path> files = Files.list(data)) {
            List<String> names =
                    files.map(file -> file.getFileName().toString()).toList();
            assertThat(names).contains("snapshot").anyMatch(name -> name.startsWith("snapshot.broken-"));
        }
    }

    @Test
    void directory_thatAnotherServerHas_isRefused() throws Exception {
        try (ServerProcess first = start()) {
            first.port();

            assertThatThrownBy(() -> {
                        try (ServerProcess second = start()) {
                            second.port();
                        }
                    })
                    .rootCause()
                    .hasMessage("the server ended:\nsluice serve: data-dir " + data
                            + ": another server uses it (expected: a directory for each)");
        }
    }
}
