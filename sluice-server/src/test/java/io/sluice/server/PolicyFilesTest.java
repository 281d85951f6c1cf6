package io.sluice.server;

import static io.sluice.server.AdminClient.tag;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.policy.PolicyException;
import io.sluice.testkit.Eventually;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.assertj.core.api.Assertions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Where a server without Redis stores uploaded policies. */
class PolicyFilesTest {
    @TempDir
    private Path folder;

    private static void run(ServerConfig.Builder config, Consumer<AdminClient> test) {
        try (SluiceServer server = SluiceServer.start(config.build())) {
            test.accept(new AdminClient(server.port()));
        }
    }

    /** Replaces the policies in force, which must be that edition. */
    private static void assertPut(AdminClient client, String yaml, long after) {
        HttpResponse<String> before = client.get("/v1/policies");
        HttpResponse<String> answer = client.put(yaml, AdminClient.etag(before));
        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
        assertThat(AdminClient.etag(answer)).isEqualTo(tag(yaml));
        assertThat(new JsonObject(answer.body()).getLong("edition")).isEqualTo(after + 1);
        assertThat(new JsonObject(answer.body()).getBoolean("durable")).isTrue();
    }

    private static void assertInForce(AdminClient client, String yaml, long edition) {
        HttpResponse<String> answer = client.get("/v1/policies");
        assertThat(answer.body()).isEqualTo(yaml);
        assertThat(AdminClient.etag(answer)).isEqualTo(tag(yaml));
        assertThat(client.json("/v1/policies").getLong("edition")).isEqualTo(edition);
    }

    private static JsonArray history(AdminClient client) {
        return client.json("/v1/policies/history").getJsonArray("editions");
    }

    @Test
    void dataDir_afterARestart_hasTheUploadedPoliciesAndTheirHistory() {
        Path data = folder.resolve("data");
        String[] before = new String[1];
        run(AdminClient.config().dataDir(data), client -> {
            assertInForce(client, SamplePolicies.load().text(), 1);
            assertPut(client, TestPolicies.limit(7), 1);
            assertPut(client, TestPolicies.limit(8), 2);
            before[0] = history(client).encode();
        });
        run(AdminClient.config().dataDir(data), client -> {
            assertInForce(client, TestPolicies.limit(8), 3);
            assertThat(history(client).encode()).isEqualTo(before[0]);
            assertThat(client.rollback(1, tag(TestPolicies.limit(8))).statusCode())
                    .isEqualTo(200);
            assertInForce(client, SamplePolicies.load().text(), 4);
        });
        run(
                AdminClient.config().dataDir(data),
                client -> assertInForce(client, SamplePolicies.load().text(), 4));
    }

    @Test
    void dataDir_keepsTwentyEditions() throws IOException {
        Path data = folder.resolve("data");
        run(AdminClient.config().dataDir(data), client -> {
            for (int i = 1; i <= 24; i++) {
                assertPut(client, TestPolicies.limit(i), i);
            }
        });
        try (Stream<Path> files = Files.list(data.resolve("policies"))) {
            assertThat(files.map(file -> file.getFileName().toString()).sorted())
                    .hasSize(20)
                    .contains("25.yaml", "6.yaml")
                    .doesNotContain("5.yaml");
        }
        run(
                AdminClient.config().dataDir(data),
                client -> assertThat(history(client)).hasSize(20));
    }

    @Test
    void dataDir_crashBetweenTheFileAndItsEdition_makesItTheNextEdition() throws IOException {
        run(AdminClient.config().dataDir(folder), client -> assertPut(client, TestPolicies.limit(7), 1));
        Files.writeString(folder.resolve("policies.yaml"), TestPolicies.limit(8));
        run(AdminClient.config().dataDir(folder), client -> {
            assertInForce(client, TestPolicies.limit(8), 3);
            assertThat(history(client)).hasSize(3);
        });
    }

    @Test
    void dataDir_foreignFilesInTheHistory_areLeftAlone() throws IOException {
        Path editions = Files.createDirectories(folder.resolve("policies"));
        Files.write(editions.resolve("3.yaml"), new byte[] {(byte) 0xff});
        Files.writeString(editions.resolve("notes.txt"), "mine");
        Files.createDirectory(editions.resolve("4.yaml"));
        run(AdminClient.config().dataDir(folder), client -> assertPut(client, TestPolicies.limit(7), 1));
        assertThat(editions.resolve("notes.txt")).hasContent("mine");
    }

    @Test
    void dataDir_withInvalidPolicies_refusesToStart() throws IOException {
        Files.writeString(folder.resolve("policies.yaml"), "nonsense");
        Assertions.assertThatThrownBy(() -> run(AdminClient.config().dataDir(folder), client -> {}))
                .isInstanceOf(PolicyException.class)
                .hasMessageContaining("policies.yaml:1:1: error: ");
    }

    @Test
    void config_isReplacedWithItsPermissionsAndThroughALink() throws IOException {
        Path real = Files.writeString(folder.resolve("real.yaml"), TestPolicies.limit(6));
        Files.setPosixFilePermissions(real, PosixFilePermissions.fromString("rw-r--r--"));
        Path link = Files.createSymbolicLink(folder.resolve("policies.yaml"), real);
        run(AdminClient.config().policies(link), client -> assertPut(client, TestPolicies.limit(7), 1));
        assertThat(real).hasContent(TestPolicies.limit(7));
        assertThat(Files.getPosixFilePermissions(real)).isEqualTo(PosixFilePermissions.fromString("rw-r--r--"));
        assertThat(Files.isSymbolicLink(link)).isTrue();
        try (Stream<Path> files = Files.list(folder)) {
            assertThat(files).as("nothing else is left").hasSize(2);
        }
        run(AdminClient.config().policies(link), client -> assertInForce(client, TestPolicies.limit(7), 1));
    }

    @Test
    void config_editedByHand_isAnEditionToo() throws IOException {
        Path file = Files.writeString(folder.resolve("policies.yaml"), TestPolicies.limit(6));
        run(AdminClient.config().policies(file).dataDir(folder.resolve("data")), client -> {
            assertPut(client, TestPolicies.limit(7), 1);
            WatchedFile.replace(file, TestPolicies.limit(8));
            Eventually.await(
                    "the edit is followed",
                    () -> AdminClient.etag(client.get("/v1/policies")).equals(tag(TestPolicies.limit(8))));
            assertInForce(client, TestPolicies.limit(8), 3);
            assertThat(client.put(TestPolicies.limit(9), tag(TestPolicies.limit(7)))
                            .statusCode())
                    .isEqualTo(412);
            assertPut(client, TestPolicies.limit(9), 3);
            assertThat(file).hasContent(TestPolicies.limit(9));
        });
        run(
                AdminClient.config().policies(file).dataDir(folder.resolve("data")),
                client -> assertInForce(client, TestPolicies.limit(9), 4));
    }

    @Test
    void config_editedAMomentAgo_isNotOverwritten() throws IOException {
        Path file = Files.writeString(folder.resolve("policies.yaml"), TestPolicies.limit(6));
        run(AdminClient.config().policies(file), client -> {
            WatchedFile.replace(file, TestPolicies.limit(8));
            HttpResponse<String> answer = client.put(TestPolicies.limit(7), tag(TestPolicies.limit(6)));
            assertThat(answer.statusCode()).isEqualTo(412);
            assertThat(AdminClient.etag(answer)).isEqualTo(tag(TestPolicies.limit(8)));
            assertInForce(client, TestPolicies.limit(8), 2);
            WatchedFile.replace(file, "broken: [");
            assertPut(client, TestPolicies.limit(9), 2);
            assertThat(file).hasContent(TestPolicies.limit(9));
        });
    }

    @Test
    void config_editedAMomentAgo_isReplacedWithItsTag() throws IOException {
        Path file = Files.writeString(folder.resolve("policies.yaml"), TestPolicies.limit(6));
        run(AdminClient.config().policies(file), client -> {
            WatchedFile.replace(file, TestPolicies.limit(8));
            HttpResponse<String> answer = client.put(TestPolicies.limit(7), tag(TestPolicies.limit(8)));
            assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
            assertInForce(client, TestPolicies.limit(7), 3);
        });
    }

    @Test
    void config_editedWhileTheServerWasDown_isNotOverwrittenWithAnOldTag() throws IOException {
        Path file = Files.writeString(folder.resolve("policies.yaml"), TestPolicies.limit(6));
        String[] old = new String[1];
        run(AdminClient.config().policies(file), client -> old[0] = AdminClient.etag(client.get("/v1/policies")));
        WatchedFile.replace(file, TestPolicies.limit(8));
        run(AdminClient.config().policies(file), client -> {
            HttpResponse<String> answer = client.put(TestPolicies.limit(7), old[0]);
            assertThat(answer.statusCode()).isEqualTo(412);
            assertThat(client.rollback(1, old[0]).statusCode()).isEqualTo(412);
            assertThat(file).hasContent(TestPolicies.limit(8));
            assertInForce(client, TestPolicies.limit(8), 1);
            WatchedFile.replace(file, TestPolicies.limit(6));
            assertThat(client.put(TestPolicies.limit(7), old[0]).statusCode())
                    .as("a text that is put back has its old tag")
                    .isEqualTo(200);
        });
    }

    @Test
    void memory_afterARestart_refusesTheTagOfTheLostPolicies() {
        run(AdminClient.config(), client -> client.put(TestPolicies.limit(7), "*"));
        run(AdminClient.config(), client -> {
            assertThat(client.put(TestPolicies.limit(8), tag(TestPolicies.limit(7)))
                            .statusCode())
                    .isEqualTo(412);
            assertInForce(client, SamplePolicies.load().text(), 1);
        });
    }

    @Test
    void put_thatCannotBeStored_is500_andChangesNothing() throws IOException {
        Path gone = Files.createDirectory(folder.resolve("gone"));
        Path file = Files.writeString(gone.resolve("policies.yaml"), TestPolicies.limit(6));
        run(AdminClient.config().policies(file), client -> {
            try {
                Files.delete(file);
                Files.delete(gone);
            } catch (IOException e) {
                throw new AssertionError(e);
            }
            HttpResponse<String> answer = client.put(TestPolicies.limit(7), tag(TestPolicies.limit(6)));
            assertThat(answer.statusCode()).isEqualTo(500);
            assertThat(AdminClient.problem(answer)).startsWith("cannot be stored, so nothing was changed: ");
            assertInForce(client, TestPolicies.limit(6), 1);
            assertThat(client.post("/v1/inspect", "{\"attributes\":{}}").body()).contains("\"remaining\":6");
        });
    }

    @Test
    void linksInTheDataDir_areNotFollowed(@TempDir Path elsewhere) throws IOException {
        Path data = folder.resolve("data");
        Files.createDirectories(data.resolve("policies"));
        Path victim = Files.writeString(elsewhere.resolve("victim"), TestPolicies.limit(3));
        Files.createSymbolicLink(data.resolve("policies.yaml"), victim);
        Files.createSymbolicLink(data.resolve("policies/2.yaml"), victim);
        run(AdminClient.config().dataDir(data), client -> {
            HttpResponse<String> answer = client.put(TestPolicies.limit(7), "*");
            assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
        });
        assertThat(victim).hasContent(TestPolicies.limit(3));
        assertThat(data.resolve("policies.yaml")).hasContent(TestPolicies.limit(7));
    }

    @Test
    void history_whenALink_isRefused(@TempDir Path elsewhere) throws IOException {
        Files.createSymbolicLink(folder.resolve("policies"), elsewhere);
        Assertions.assertThatThrownBy(() ->
                        SluiceServer.start(AdminClient.config().dataDir(folder).build()))
                .isInstanceOf(StartException.class)
                .hasMessage(folder.resolve("policies") + ": is a symbolic link (expected: a directory, or nothing)");
        assertThat(elsewhere).isEmptyDirectory();
    }
}
