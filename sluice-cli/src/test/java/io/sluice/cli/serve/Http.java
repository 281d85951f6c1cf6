package io.sluice.cli.serve;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Sends HTTP requests to a server. */
public final class Http {
    private static final HttpClient CLIENT = HttpClient.newHttpClient();

    private Http() {}

    public static HttpResponse<String> get(ServerProcess server, String path) {
        return send(HttpRequest.newBuilder(server.uri(path)));
    }

    /** Sends a check. The attributes are JSON without braces. */
    public static HttpResponse<String> check(ServerProcess server, String attributes, int permits) {
        return post(server, "/v1/check", "{\"attributes\":{" + attributes + "},\"permits\":" + permits + "}");
    }

    static HttpResponse<String> post(ServerProcess server, String path, String body) {
        return send(HttpRequest.newBuilder(server.uri(path)).POST(BodyPublishers.ofString(body)));
    }

    /** The first number with that name in a JSON response. */
    static long number(String json, String name) {
        Matcher number = Pattern.compile('"' + name + "\":(-?\\d+)").matcher(json);
        if (!number.find()) {
            throw new IllegalArgumentException("no " + name + " in " + json);
        }
        return Long.parseLong(number.group(1));
    }

    private static HttpResponse<String> send(HttpRequest.Builder request) {
        try {
            return CLIENT.send(request.build(), BodyHandlers.ofString());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }
}
