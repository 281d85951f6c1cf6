package io.sluice.cli.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.cli.PolicyFixtures;
import io.sluice.cli.gateway.Gateway.FailureMode;
import io.sluice.cli.serve.Http;
import io.sluice.cli.serve.ServerProcess;
import io.sluice.testkit.Eventually;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Real gateways fail open or closed, as documented, while Sluice is suspended and after it was killed. */
class WithoutSluiceIT {
    private static final String POLICIES = "  - { name: per-tenant, key: [tenant], limit: 1000000/s }\n";

    private final HttpClient client = HttpClient.newHttpClient();

    @TempDir
    private Path directory;

    /** Starts a gateway for a server and a backend. */
    private interface Start {
        Gateway start(int sluice, int backend) throws IOException, InterruptedException;
    }

    private HttpResponse<String> send(Gateway gateway) throws IOException, InterruptedException {
        return client.send(
                gateway.request("/orders", "acme")
                        .POST(BodyPublishers.ofString("body"))
                        .timeout(Duration.ofMillis(Gateway.PATIENCE_MILLIS))
                        .build(),
                BodyHandlers.ofString());
    }

    /** Whether Sluice decides a request. A cold server may need more than the 100 ms that the gateway waits. */
    private boolean isDecided(Gateway gateway, ServerProcess sluice) {
        try {
            long before = decisions(sluice);
            return send(gateway).statusCode() == 200 && decisions(sluice) > before;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    private static long decisions(ServerProcess sluice) {
        return Http.get(sluice, "/metrics")
                .body()
                .lines()
                .filter(line -> line.startsWith("sluice_decisions_total{"))
                .mapToLong(line -> (long) Double.parseDouble(line.substring(line.lastIndexOf(' '))))
                .sum();
    }

    private void assertWithout(FailureMode mode, int[] refusals, Start start) throws IOException, InterruptedException {
        String policies =
                PolicyFixtures.file(directory, "policies.yaml", POLICIES).toString();
        try (ServerProcess sluice = ServerProcess.start("--config", policies);
                EchoServer backend = new EchoServer();
                Gateway gateway = start.start(sluice.port(), backend.port())) {
            Eventually.await("a request was decided", () -> isDecided(gateway, sluice));
            sluice.suspend();
            assertAnswered(gateway, backend, mode, refusals);
            sluice.kill();
            assertAnswered(gateway, backend, mode, refusals);
        }
    }

    /** Sends several requests: a gateway may behave differently while it has connections to Sluice, or after failures. */
    private void assertAnswered(Gateway gateway, EchoServer backend, FailureMode mode, int[] refusals)
            throws IOException, InterruptedException {
        for (int i = 0; i < 3; i++) {
            int before = backend.requestCount();
            HttpResponse<String> response = send(gateway);
            if (mode == FailureMode.OPEN) {
                assertThat(response.statusCode()).isEqualTo(200);
                assertThat(response.body()).isEqualTo("POST body");
                assertThat(backend.requestCount()).isEqualTo(before + 1);
            } else {
                assertThat(refusals).contains(response.statusCode());
                assertThat(backend.requestCount()).isEqualTo(before);
            }
        }
    }

    @ParameterizedTest
    @EnumSource
    void nginx_withoutSluice_forwardsOrRefuses(FailureMode mode) throws IOException, InterruptedException {
        assertWithout(mode, new int[] {503}, (sluice, backend) -> Nginx.start(directory, mode, sluice, backend));
    }

    @ParameterizedTest
    @EnumSource
    void caddy_withoutSluice_forwardsOrRefuses(FailureMode mode) throws IOException, InterruptedException {
        assertWithout(
                mode, new int[] {502, 503, 504}, (sluice, backend) -> Caddy.start(directory, mode, sluice, backend));
    }

    @ParameterizedTest
    @EnumSource
    void haproxy_withoutSluice_forwardsOrRefuses(FailureMode mode) throws IOException, InterruptedException {
        assertWithout(mode, new int[] {503}, (sluice, backend) -> Haproxy.start(directory, mode, sluice, backend));
    }
}
