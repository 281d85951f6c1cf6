package io.sluice.cli.dashboard;

import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;

/** A client that asks a server for permits. */
final class Traffic {
    private final HttpClient client =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
    private final int port;

    Traffic(int port) {
        this.port = port;
    }

    /** Sends checks of a tenant; returns how many were allowed. */
    int send(String tenant, int requests) {
        int allowed = 0;
        for (int i = 0; i < requests; i++) {
            allowed += allowed(tenant) ? 1 : 0;
        }
        return allowed;
    }

    /** Sends one check, with a method. */
    void send(String tenant, String method) {
        JsonObject attributes = new JsonObject()
                .put("tenant", tenant)
                .put("path", "/api/orders")
                .put("method", method);
        call("/v1/check", new JsonObject().put("attributes", attributes).encode());
    }

    boolean allowed(String tenant) {
        JsonObject attributes = new JsonObject().put("tenant", tenant).put("path", "/api/orders");
        return call("/v1/check", new JsonObject().put("attributes", attributes).encode())
                .contains("{\"allowed\":true");
    }

    String call(String path, String body) {
        HttpRequest request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + path))
                .header("Authorization", "Bearer " + Dashboard.TOKEN)
                .POST(BodyPublishers.ofString(body))
                .build();
        try {
            return client.send(request, BodyHandlers.ofString()).body();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }
}
