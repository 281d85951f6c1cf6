package io.sluice.benchmarks.spring;

import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpServer;

/** The server behind the gateways, in this process: it answers a constant. */
final class Downstream implements AutoCloseable {
    /** A header of its responses. */
    static final String HEADER = "X-Downstream";

    private final Vertx vertx = Vertx.vertx(new VertxOptions().setEventLoopPoolSize(1));
    private final HttpServer server;

    Downstream() {
        Buffer answer = Buffer.buffer("constant");
        server = vertx.createHttpServer()
                .requestHandler(request ->
                        request.response().putHeader(HEADER, "benchmark").end(answer))
                .listen(0, "127.0.0.1")
                .toCompletionStage()
                .toCompletableFuture()
                .join();
    }

    int port() {
        return server.actualPort();
    }

    @Override
    public void close() {
        vertx.close().toCompletionStage().toCompletableFuture().join();
    }
}
