package io.sluice.cli.serve;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.testkit.Eventually;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The packaged service: start, log, signals and TLS. */
class ServeIT {
    private static final String BODY = "{\"attributes\":{\"tenant\":\"acme\"}}";

    @TempDir
    Path directory;

    private static String run(String... command) throws IOException, InterruptedException {
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        String out = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor()).as(out).isZero();
        return out;
    }

    private static List<String> curls(ServerProcess server) {
        Eventually.await(
                "three lines to try are shown",
                () -> server.log().lines().filter(ServeIT::isCurl).count() == 3);
        return server.log().lines().filter(ServeIT::isCurl).toList();
    }

    private static boolean isCurl(String line) {
        return line.startsWith("  curl ");
    }

    @Test
    void withoutOptions_saysWhereItListens_andWhatToTry() throws Exception {
        try (ServerProcess server = ServerProcess.start()) {
            List<String> curls = curls(server);
            assertThat(server.log())
                    .containsPattern("(?m)^listening on http://127\\.0\\.0\\.1:\\d+ \\(HTTP, gRPC\\)$")
                    .containsPattern("(?m)^dashboard at http://127\\.0\\.0\\.1:\\d+/$")
                    .containsPattern("(?m)^admin token, generated for this run: [A-Za-z0-9_-]{43}$")
                    .containsPattern("(?m)^\\S+ INFO  io.sluice.server: listening on http://127")
                    .containsPattern(
                            "(?m)^\\S+ INFO  io.sluice.server: policies: 3, from the built-in sample: everything"
                                    + " \\(token-bucket 1000/s burst 2000\\), per-tenant \\(.*\\), login \\(.*\\)$")
                    .containsPattern(
                            "(?m)^\\S+ INFO  io.sluice.server: store: memory, at most \\d+ keys \\(derived from a heap of 512 MiB\\), lost at a")
                    .containsPattern("(?m)^\\S+ INFO  io.sluice.server: trusted proxies: 127.0.0.0/8, ::1/128 ")
                    .doesNotContain("SLF4J");

            assertThat(run("sh", "-c", curls.get(0))).contains("\"allowed\":true", "\"policy\":\"per-tenant\"");
            assertThat(run("sh", "-c", curls.get(1))).contains("\"allowed\":true", "\"policy\":\"login\"");
            assertThat(run("sh", "-c", curls.get(1))).contains("\"violated\":[\"login\"]");
            assertThat(run("sh", "-c", curls.get(2))).contains("\nsluice_requests_total{outcome=\"denied\"} 1.0\n");
        }
    }

    @Test
    void start_saysTheFileTheRedisAndTheProxies_butNoPassword() throws Exception {
        Path policies = Files.writeString(
                directory.resolve("p.yaml"), "version: 1\npolicies:\n  - { name: a, key: [ip], limit: 5/s }\n");
        try (ServerProcess server = ServerProcess.start(
                Map.of("SLUICE_REDIS", "redis://me:t0psecret@127.0.0.1:1/2"),
                "--config",
                policies.toString(),
                "--trusted-proxies",
                "10.0.0.0/8")) {
            server.port();
            assertThat(server.log())
                    .contains(" policies: 1, from " + policies + ": a (token-bucket 5/s)\n")
                    .contains(
                            " store: Redis at redis://127.0.0.1:1/2, keys begin with sluice; it does not answer yet\n")
                    .contains(" trusted proxies: 10.0.0.0/8 (--trusted-proxies)\n")
                    .doesNotContain("t0psecret");
        }
    }

    @Test
    void forwardedHeaders_ofAPeerThatIsNotTrusted_areWarnedOfOnce() throws Exception {
        try (ServerProcess server = ServerProcess.start("--trusted-proxies", "10.0.0.0/8")) {
            String url = server.uri("/v1/auth").toString();
            String[] ask = {"curl", "-s", "-H", "X-Forwarded-For: 203.0.113.9", "-H", "X-Sluice-Tenant: acme", url};
            run(ask);
            run(ask);
            run("curl", "-s", "-H", "X-Sluice-Tenant: acme", url);
            String warning = " WARN  io.sluice.server: ignored on /v1/auth, because 127.0.0.1 is not a trusted proxy:"
                    + " X-Forwarded-For, X-Sluice-Tenant (to trust it: --trusted-proxies 10.0.0.0/8,127.0.0.1;";
            Eventually.await("it warns", () -> server.log().contains(warning));
            assertThat(server.log().split("ignored on /v1/auth", -1)).hasSize(2);
        }
    }

    @Test
    void token_thatWasGiven_isNotShown() throws Exception {
        try (ServerProcess server = ServerProcess.start(Map.of("SLUICE_ADMIN_TOKEN", "t0psecret"))) {
            curls(server);
            assertThat(server.log()).doesNotContain("t0psecret", "admin token");
        }
    }

    @Test
    void beyondLoopback_noTokenIsGenerated() throws Exception {
        try (ServerProcess server = ServerProcess.start("--host", "0.0.0.0")) {
            curls(server);
            assertThat(server.log())
                    .contains("there is no admin token, so nobody can administer this server")
                    .doesNotContain("generated for this run");
        }
    }

    @Test
    void logs_canBeJson() throws Exception {
        try (ServerProcess server = ServerProcess.start("--log-format", "json")) {
            curls(server);
            assertThat(server.log().lines().filter(line -> line.startsWith("{")))
                    .anyMatch(line -> line.matches("\\{\"time\":\"[^\"]+\",\"level\":\"INFO\","
                            + "\"logger\":\"io.sluice.server\",\"thread\":\\d+,\"message\":\"listening on [^\"]+\"}"));
        }
    }

    @Test
    void sigterm_letsARequestInFlightEnd() throws Exception {
        try (ServerProcess server = ServerProcess.start("--stop-deadline", "1m");
                Socket slow = inFlight(server)) {
            CompletableFuture<Integer> exit = stopping(server);

            slow.getOutputStream().write(BODY.substring(5).getBytes(StandardCharsets.UTF_8));

            assertThat(new String(slow.getInputStream().readAllBytes(), StandardCharsets.UTF_8))
                    .startsWith("HTTP/1.1 200 ")
                    .contains("\"allowed\":true");
            assertThat(exit.join()).isZero();
            Eventually.await("it says so", () -> server.log().endsWith("stopped"));
        }
    }

    @Test
    void sigterm_whileItStarts_stopsItInOrder() throws Exception {
        try (ServerSocket silent = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
                ServerProcess server = ServerProcess.start("--redis", "redis://127.0.0.1:" + silent.getLocalPort());
                Socket connection = silent.accept()) {
            // It waits for the answer of Redis.
            assertThat(connection.getInputStream().read()).isNotNegative();

            assertThat(server.stop()).isZero();
            Eventually.await("it says so", () -> server.log().endsWith("stopped"));
        }
    }

    @Test
    void secondSigterm_endsAtOnce() throws Exception {
        try (ServerProcess server = ServerProcess.start("--stop-deadline", "1d");
                Socket slow = inFlight(server)) {
            CompletableFuture<Integer> exit = stopping(server);
            assertThat(slow.isConnected()).isTrue();

            assertThat(server.stop()).isEqualTo(143);
            assertThat(exit.join()).isEqualTo(143);
        }
    }

    /** A request of which the server has received a part. */
    private static Socket inFlight(ServerProcess server) throws IOException {
        Socket socket = new Socket(InetAddress.getLoopbackAddress(), server.port());
        socket.setSoTimeout(60_000);
        double before = requests(server);
        socket.getOutputStream()
                .write(("POST /v1/check HTTP/1.1\r\nHost: x\r\nContent-Length: " + BODY.length() + "\r\n\r\n"
                                + BODY.substring(0, 5))
                        .getBytes(StandardCharsets.UTF_8));
        double[] scrapes = {0};
        Eventually.await("the request was read", () -> requests(server) - before - ++scrapes[0] >= 1);
        return socket;
    }

    private static double requests(ServerProcess server) {
        return Http.get(server, "/metrics")
                .body()
                .lines()
                .filter(line -> line.startsWith("sluice_http_requests_total "))
                .mapToDouble(line -> Double.parseDouble(line.substring(line.indexOf(' ') + 1)))
                .sum();
    }

    private static CompletableFuture<Integer> stopping(ServerProcess server) {
        CompletableFuture<Integer> exit = CompletableFuture.supplyAsync(() -> {
            try {
                return server.stop();
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
        });
        Eventually.await("it stops", () -> server.log().endsWith("stopping"));
        return exit;
    }

    @Test
    void tls_isSpoken() throws Exception {
        Path store = directory.resolve("store.p12");
        run(
                Path.of(System.getProperty("java.home"), "bin", "keytool").toString(),
                "-genkeypair",
                "-alias",
                "a",
                "-keyalg",
                "EC",
                "-dname",
                "CN=localhost",
                "-ext",
                "SAN=ip:127.0.0.1",
                "-storepass",
                "password",
                "-keystore",
                store.toString());
        KeyStore keys = KeyStore.getInstance("PKCS12");
        try (InputStream in = Files.newInputStream(store)) {
            keys.load(in, "password".toCharArray());
        }
        Path certificate = pem("CERTIFICATE", keys.getCertificate("a").getEncoded());
        Path key = pem("PRIVATE KEY", keys.getKey("a", "password".toCharArray()).getEncoded());

        try (ServerProcess server =
                ServerProcess.start("--tls-cert", certificate.toString(), "--tls-key", key.toString())) {
            assertThat(curls(server)).allMatch(line -> line.startsWith("  curl -sk https://"));
            assertThat(run("sh", "-c", curls(server).get(0))).contains("\"allowed\":true");
            assertThat(run(
                            "curl",
                            "-s",
                            "--cacert",
                            certificate.toString(),
                            "-o",
                            "/dev/null",
                            "-w",
                            "%{http_version}",
                            "https://127.0.0.1:" + server.port() + "/healthz"))
                    .isEqualTo("2");
        }
        assertThatThrownBy(() -> {
                    try (ServerProcess server =
                            ServerProcess.start("--tls-cert", certificate.toString(), "--tls-key", "none.pem")) {
                        server.port();
                    }
                })
                .rootCause()
                .hasMessage(
                        "the server ended:\nsluice serve: tls-key none.pem: no such file (expected: a file in PEM)");
    }

    private Path pem(String kind, byte[] encoded) throws IOException {
        return Files.writeString(
                directory.resolve(kind + ".pem"),
                "-----BEGIN " + kind + "-----\n" + Base64.getMimeEncoder().encodeToString(encoded) + "\n-----END "
                        + kind + "-----\n");
    }
}
