package io.sluice.cli.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/** A real Caddy asks Sluice before it forwards a request. */
class CaddyIT extends GatewayContract {
    @Override
    Gateway start(Path directory, int sluicePort, int backendPort) throws IOException, InterruptedException {
        return Caddy.start(directory, sluicePort, backendPort);
    }

    @Test
    void denial_hasTheHeadersOfSluice() throws IOException, InterruptedException {
        for (int i = 0; i < 2; i++) {
            send(gateway().request("/orders", "acme"));
        }

        assertThat(send(gateway().request("/orders", "acme")).headers().firstValue("RateLimit-Policy"))
                .contains("\"per-tenant\";q=2;w=3600");
    }
}
