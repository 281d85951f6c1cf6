package io.sluice.server;

import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.concurrent.CompletableFuture;

/** A client of the admin API of a server in this process. */
final class AdminClient {
    static final String TOKEN = "open-sesame";

    private final HttpClient http = HttpClient.newHttpClient();
    private final int port;

    AdminClient(int port) {
        this.port = port;
    }

    static ServerConfig.Builder config() {
        return ServerConfig.builder().port(0).respPort(-1).adminToken(TOKEN);
    }

    HttpRequest.Builder request(String path) {
        return anonymous(path).header("Authorization", "Bearer " + TOKEN);
    }

    HttpRequest.Builder anonymous(String path) {
        return HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + path));
    }

    HttpResponse<String> send(HttpRequest.Builder request) {
        try {
            return http.send(request.build(), BodyHandlers.ofString());
        } catch (IOException e) {
            throw new IllegalStateException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    CompletableFuture<HttpResponse<String>> sendAsync(HttpRequest.Builder request) {
        return http.sendAsync(request.build(), BodyHandlers.ofString());
    }

    HttpResponse<String> get(String path) {
        return send(request(path));
    }

    JsonObject json(String path) {
        return new JsonObject(
                send(request(path).header("Accept", "application/json")).body());
    }

    HttpRequest.Builder putting(String yaml, String ifMatch) {
        return request("/v1/policies").header("If-Match", ifMatch).PUT(BodyPublishers.ofString(yaml));
    }

    HttpResponse<String> put(String yaml, String ifMatch) {
        return send(putting(yaml, ifMatch));
    }

    HttpResponse<String> post(String path, String body) {
        return send(request(path).POST(BodyPublishers.ofString(body)));
    }

    HttpResponse<String> rollback(long edition, String ifMatch) {
        return send(request("/v1/policies/rollback")
                .header("If-Match", ifMatch)
                .POST(BodyPublishers.ofString("{\"edition\":" + edition + "}")));
    }

    /** The expected {@code ETag} of a text, as in {@code sha256sum}. */
    static String tag(String text) {
        try {
            byte[] digest = MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8));
            return '"' + HexFormat.of().formatHex(digest).substring(0, 32) + '"';
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }

    static String etag(HttpResponse<?> response) {
        return response.headers().firstValue("ETag").orElse("none");
    }

    static String problem(HttpResponse<String> response) {
        String type = response.headers().firstValue("Content-Type").orElse("none");
        return type.equals("application/problem+json")
                ? new JsonObject(response.body()).getString("detail")
                : "no problem+json but " + type;
    }
}
