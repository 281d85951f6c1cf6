package io.sluice.server.http;

import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerRequest;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Objects;

/** {@code GET /openapi.yaml}: the description of all routes. */
public final class OpenApiRoute implements Route {
    private final Buffer document;

    public OpenApiRoute() {
        try (InputStream in = Objects.requireNonNull(OpenApiRoute.class.getResourceAsStream("openapi.yaml"))) {
            document = Buffer.buffer(in.readAllBytes());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void handle(HttpServerRequest request) {
        request.response()
                .putHeader(HttpHeaders.CONTENT_TYPE, "application/yaml")
                .end(document);
    }
}
