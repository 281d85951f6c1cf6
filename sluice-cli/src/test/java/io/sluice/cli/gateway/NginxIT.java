package io.sluice.cli.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A real nginx asks Sluice before it forwards a request. */
class NginxIT extends GatewayContract {
    @Override
    Gateway start(Path directory, int sluicePort, int backendPort) throws IOException, InterruptedException {
        return Nginx.start(directory, sluicePort, backendPort);
    }

    @Test
    void responses_haveTheHeadersOfSluice() throws IOException, InterruptedException {
        for (int left = 1; left >= 0; left--) {
            assertThat(send(gateway().request("/orders", "acme")).headers().firstValue("RateLimit"))
                    .contains("\"per-tenant\";r=" + left + ";t=3600");
        }

        HttpResponse<String> denied = send(gateway().request("/orders", "acme"));

        assertThat(denied.headers().firstValue("RateLimit").orElse("")).startsWith("\"per-tenant\";r=0;t=");
        assertThat(denied.headers().firstValue("RateLimit-Policy")).contains("\"per-tenant\";q=2;w=3600");
        assertThat(send(gateway().request("/orders", "other")).statusCode()).isEqualTo(200);
    }

    @Test
    void denial_withoutAnErrorPage_is403() throws IOException, InterruptedException {
        for (int status : new int[] {200, 200, 403}) {
            assertThat(send(gateway().request("/plain/x", "plain")).statusCode())
                    .isEqualTo(status);
        }
    }

    @Test
    void tenant_isTheAuthenticatedUser() throws IOException, InterruptedException {
        assertThat(send(gateway().request("/orders").header("Authorization", Gateway.basic("acme", "guessed")))
                        .statusCode())
                .isEqualTo(401);
    }

    /** No request of a client makes nginx continue without a decision. */
    @ParameterizedTest
    @ValueSource(strings = {"/%ff%fe", "/a//../%25", "LONG"})
    void path_strangeOrLong_isDecided(String path) throws IOException {
        String asked = path.equals("LONG") ? "/" + "x".repeat(8000) : path;
        for (int status : new int[] {200, 200, 429}) {
            assertThat(gateway().status(asked, "acme")).isEqualTo(status);
        }
    }
}
