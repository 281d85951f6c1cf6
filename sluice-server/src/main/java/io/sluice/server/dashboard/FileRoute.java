package io.sluice.server.dashboard;

import io.sluice.server.http.Problems;
import io.sluice.server.http.Route;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpServerResponse;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Answers with a file of the jar. It is read and compressed at its first request, on a worker thread, and kept. */
final class FileRoute implements Route {
    private final Vertx vertx;
    private final String name;
    private @Nullable Future<PageFile> file;

    FileRoute(Vertx vertx, String name) {
        this.vertx = vertx;
        this.name = name;
    }

    @Override
    public void handle(HttpServerRequest request) {
        file().onSuccess(loaded -> answer(request, loaded)).onFailure(failure -> Problems.failed(request, failure));
    }

    private synchronized Future<PageFile> file() {
        if (file == null || file.failed()) {
            file = vertx.executeBlocking(() -> PageFile.load(name), false);
        }
        return file;
    }

    /** A browser asks each time whether its copy is current, so a new version of the server is used at once. */
    private static void answer(HttpServerRequest request, PageFile file) {
        HttpServerResponse response = request.response()
                .putHeader("ETag", file.etag())
                .putHeader("Cache-Control", "no-cache")
                .putHeader("Vary", "Accept-Encoding");
        @Nullable String known = request.getHeader("If-None-Match");
        if (known != null && known.contains(file.etag())) {
            response.setStatusCode(304).end();
            return;
        }
        response.putHeader("Content-Type", file.type());
        if (acceptsGzip(request.getHeader("Accept-Encoding"))) {
            response.putHeader("Content-Encoding", "gzip").end(file.gzip());
        } else {
            response.end(file.plain());
        }
    }

    private static boolean acceptsGzip(@Nullable String encodings) {
        return encodings != null
                && encodings.toLowerCase(Locale.ROOT).matches(".*\\bgzip\\b(?!\\s*;\\s*q=0(\\.0*)?\\s*(,|$)).*");
    }
}
