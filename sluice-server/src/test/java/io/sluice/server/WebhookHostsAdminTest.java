package io.sluice.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.policy.PolicyException;
import io.sluice.policy.WebhookHosts;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Uploaded policies cannot make the server post to hosts that its settings do not allow. */
class WebhookHostsAdminTest {
    private static final WebhookHosts HOSTS = new WebhookHosts(List.of("hooks.example.com"));
    private static final String REFUSED =
            ":3:57: error: notify: host \"169.254.169.254\" (expected: one that the setting webhook-hosts allows:"
                    + " hooks.example.com)";

    @TempDir
    private Path folder;

    private static String posting(String url) {
        return "version: 1\npolicies: []\nalerts: [{ name: a, when: denied > 5, over: 1m, notify: \"" + url + "\" }]\n";
    }

    private static final String BAD = posting("http://169.254.169.254/latest");
    private static final String GOOD = posting("https://hooks.example.com/x");

    private static void assertRefused(HttpResponse<String> answer) {
        assertThat(answer.statusCode()).isEqualTo(422);
        assertThat(answer.body()).contains("169.254.169.254", "hooks.example.com", "\"line\":3");
    }

    @Test
    void put_withAHostThatIsNotAllowed_isRefusedWithItsPlace() {
        try (SluiceServer server =
                SluiceServer.start(AdminClient.config().webhookHosts(HOSTS).build())) {
            AdminClient client = new AdminClient(server.port());
            assertRefused(client.put(BAD, "*"));
            assertRefused(client.send(client.request("/v1/policies?dry-run=true")
                    .PUT(java.net.http.HttpRequest.BodyPublishers.ofString(BAD))));
            assertThat(client.put(GOOD, "*").statusCode()).isEqualTo(200);
        }
    }

    @Test
    void rollback_toAHostThatIsNotAllowed_isRefused_andSoIsAStartWithIt() {
        try (SluiceServer server =
                SluiceServer.start(AdminClient.config().dataDir(folder).build())) {
            AdminClient client = new AdminClient(server.port());
            assertThat(client.put(BAD, "*").statusCode()).isEqualTo(200);
            assertThat(client.put(GOOD, "*").statusCode()).isEqualTo(200);
        }
        ServerConfig.Builder limited = AdminClient.config().dataDir(folder).webhookHosts(HOSTS);
        try (SluiceServer server = SluiceServer.start(limited.build())) {
            AdminClient client = new AdminClient(server.port());
            assertRefused(client.rollback(2, "*"));
        }
        try (SluiceServer server =
                SluiceServer.start(AdminClient.config().dataDir(folder).build())) {
            assertThat(new AdminClient(server.port()).rollback(2, "*").statusCode())
                    .isEqualTo(200);
        }
        assertThatThrownBy(() -> SluiceServer.start(limited.build()))
                .isInstanceOf(PolicyException.class)
                .hasMessage(folder.resolve("policies.yaml") + REFUSED);
    }

    @Test
    void file_withAHostThatIsNotAllowed_isRefusedAtTheStart() throws IOException {
        Path file = Files.writeString(folder.resolve("p.yaml"), BAD);
        assertThatThrownBy(() -> SluiceServer.start(
                        AdminClient.config().policies(file).webhookHosts(HOSTS).build()))
                .isInstanceOf(PolicyException.class)
                .hasMessage(file + REFUSED);
    }
}
