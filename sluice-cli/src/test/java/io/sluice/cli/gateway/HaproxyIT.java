package io.sluice.cli.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/** A real HAProxy asks Sluice before it forwards a request. */
class HaproxyIT extends GatewayContract {
    @Override
    Gateway start(Path directory, int sluicePort, int backendPort) throws IOException, InterruptedException {
        return Haproxy.start(directory, sluicePort, backendPort);
    }

    /** HAProxy accepts longer headers than Sluice. A request that is too long to check is not forwarded either. */
    @Test
    void path_ofAnyLength_isDecidedOrRefused() throws IOException {
        for (int status : new int[] {200, 200, 429}) {
            assertThat(gateway().status("/" + "x".repeat(8000), "acme")).isEqualTo(status);
        }
        for (int length = 14_000; length < 16_000; length += 100) {
            assertThat(gateway().status("/" + "x".repeat(length), "acme")).isIn(429, 503, 400, 414, 431);
        }
        assertThat(backend().requestCount()).isEqualTo(2);
    }
}
