package io.sluice.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ServerTlsTest {
    @TempDir
    Path directory;

    private static SluiceServer start(Path certificate, Path key) {
        return SluiceServer.start(ServerConfig.builder()
                .port(0)
                .respPort(-1)
                .tls(certificate, key)
                .build());
    }

    private static void assertRefused(Path certificate, Path key, String message) {
        assertThatThrownBy(() -> start(certificate, key))
                .isInstanceOf(SettingException.class)
                .hasMessage(message);
    }

    @ParameterizedTest
    @ValueSource(strings = {"RSA", "EC"})
    void https_works_andHttp2Too(String algorithm) throws Exception {
        Certificate made = Certificate.make(directory, algorithm);
        try (SluiceServer server = start(made.certificate(), made.key())) {
            assertThat(server.endpoints().get(0).uri()).isEqualTo("https://127.0.0.1:" + server.port());
            for (HttpClient.Version version : HttpClient.Version.values()) {
                HttpResponse<String> response = HttpClient.newBuilder()
                        .sslContext(made.trusting())
                        .version(version)
                        .build()
                        .send(
                                HttpRequest.newBuilder(URI.create("https://127.0.0.1:" + server.port() + "/healthz"))
                                        .build(),
                                BodyHandlers.ofString());

                assertThat(response.statusCode()).isEqualTo(200);
                assertThat(response.version()).isEqualTo(version);
            }
        }
    }

    @Test
    void invalidFiles_areRefused() throws IOException {
        Certificate made = Certificate.make(directory.resolve("a"), "EC");
        Certificate other = Certificate.make(directory.resolve("b"), "EC");
        Certificate rsa = Certificate.make(directory.resolve("c"), "RSA");
        Path none = directory.resolve("none");
        Path text = Files.writeString(directory.resolve("text"), "not PEM\n");

        assertRefused(none, made.key(), "tls-cert " + none + ": no such file (expected: a file in PEM)");
        assertRefused(made.certificate(), none, "tls-key " + none + ": no such file (expected: a file in PEM)");
        assertRefused(text, made.key(), "tls-cert " + text + ": cannot be read (expected: a certificate in PEM)");
        for (Path key : new Path[] {text, rsa.key()}) {
            assertRefused(
                    made.certificate(),
                    key,
                    "tls-key " + key + ": cannot be read, or is not the key of " + made.certificate()
                            + " (expected: the private key of the certificate, in PEM, without a password)");
        }
        assertRefused(
                made.certificate(),
                other.key(),
                "tls-key " + other.key() + ": is not the key of " + made.certificate()
                        + " (expected: the private key of the certificate)");
    }
}
