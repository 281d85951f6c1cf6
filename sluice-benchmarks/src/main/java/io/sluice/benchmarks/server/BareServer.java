package io.sluice.benchmarks.server;

import io.vertx.core.DeploymentOptions;
import io.vertx.core.Future;
import io.vertx.core.VerticleBase;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.grpc.server.GrpcServer;
import java.util.concurrent.atomic.AtomicInteger;

/** A minimal Vert.x server, the upper bound: reads a body and answers a fixed number of bytes; echoes gRPC messages. */
public final class BareServer {
    private static final String HEAD = "HTTP/1.1 200 OK\r\ncontent-length: 000\r\n\r\n";

    private final Buffer answer;
    private final GrpcServer grpc;

    private BareServer(Vertx vertx, int bytes) {
        answer = Buffer.buffer("x".repeat(Math.max(0, bytes - HEAD.length())));
        grpc = GrpcServer.server(vertx);
        grpc.callHandler(
                RlsCalls.ECHO_SERVED,
                request ->
                        request.last().onSuccess(message -> request.response().end(message)));
    }

    /**
     * Serves on a free port, until the process ends.
     *
     * @param args the size of an HTTP response in bytes, with its headers
     */
    public static void main(String... args) {
        int loops = Runtime.getRuntime().availableProcessors();
        Vertx vertx = Vertx.builder()
                .with(new VertxOptions().setEventLoopPoolSize(loops).setPreferNativeTransport(true))
                .build();
        BareServer server = new BareServer(vertx, Integer.parseInt(args[0]));
        AtomicInteger port = new AtomicInteger();
        vertx.deployVerticle(
                        () -> new VerticleBase() {
                            @Override
                            public Future<?> start() {
                                return vertx.createHttpServer()
                                        .requestHandler(server::handle)
                                        // A negative port is a free one that all instances share.
                                        .listen(-1, "127.0.0.1")
                                        .onSuccess(listening -> port.set(listening.actualPort()));
                            }
                        },
                        new DeploymentOptions().setInstances(loops))
                .onSuccess(unused -> System.out.println("listening on http://127.0.0.1:" + port))
                .onFailure(e -> {
                    e.printStackTrace();
                    System.exit(1);
                });
    }

    private void handle(HttpServerRequest request) {
        String type = request.headers().get("content-type");
        if (type != null && type.startsWith("application/grpc")) {
            grpc.handle(request);
        } else {
            request.body().onSuccess(body -> request.response().end(answer));
        }
    }
}
