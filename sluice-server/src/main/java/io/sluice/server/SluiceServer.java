package io.sluice.server;

import io.sluice.http.ClientAddress;
import io.sluice.server.admin.AdminRoutes;
import io.sluice.server.admin.AdminToken;
import io.sluice.server.http.AuthRoute;
import io.sluice.server.http.BatchRoute;
import io.sluice.server.http.CheckRoute;
import io.sluice.server.http.ExplainRoute;
import io.sluice.server.http.OpenApiRoute;
import io.sluice.server.http.Routes;
import io.sluice.server.rls.GrpcHandler;
import io.sluice.server.rls.Rls;
import io.vertx.core.Future;
import io.vertx.core.Handler;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServerRequest;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;

/**
 * The service. It keeps nothing that other replicas would need: what is shared is in Redis.
 *
 * <pre>{@code
 * try (SluiceServer server = SluiceServer.start(ServerConfig.builder().port(0).build())) {
 *     server.port() ...
 * }
 * }</pre>
 */
public final class SluiceServer implements AutoCloseable {
    private final ServerConfig config;
    private final Deciding deciding;
    private final Vertx vertx;
    private final HttpListener http;
    private final RespListener resp;
    private final AdminRoutes admin;

    /** What is asked where. */
    final Routes routes;

    private SluiceServer(ServerConfig config) {
        this.config = config;
        deciding = Deciding.by(config);
        int loops = Runtime.getRuntime().availableProcessors();
        vertx = Vertx.builder()
                .with(new VertxOptions().setEventLoopPoolSize(loops).setPreferNativeTransport(true))
                .build();
        http = new HttpListener(vertx, config);
        resp = new RespListener(vertx, config, deciding);
        admin = new AdminRoutes(vertx, deciding.engine, deciding.book);
        routes = routes();
        Listeners listeners = new Listeners(vertx, loops);
        try {
            await(http.open(listeners, handler()));
            await(resp.open(listeners));
        } catch (RuntimeException e) {
            close();
            throw e;
        }
    }

    /** Begins to listen; returns when every port is open. */
    public static SluiceServer start(ServerConfig config) {
        return new SluiceServer(config);
    }

    private Handler<HttpServerRequest> handler() {
        GrpcHandler grpc = new Rls(deciding.checks, deciding::limiterOfCall)
                .matching(deciding.envoyConfig())
                .legacyHeaders(config.legacyHeaders())
                .handler(vertx);
        return request -> (GrpcHandler.isGrpc(request) ? grpc : routes).handle(request);
    }

    private Routes routes() {
        Routes routes = new Routes(new AdminToken(config.adminToken()))
                .open(HttpMethod.POST, "/v1/check", new CheckRoute(deciding.checks, config.legacyHeaders()))
                .open(HttpMethod.POST, "/v1/check:batch", new BatchRoute(deciding.checks))
                .open(
                        "/v1/auth",
                        new AuthRoute(deciding.checks, new ClientAddress(config.trusted()), config.legacyHeaders()))
                .open(HttpMethod.GET, "/openapi.yaml", new OpenApiRoute())
                .admin(HttpMethod.POST, "/v1/explain", new ExplainRoute(deciding.engine));
        admin.addTo(routes);
        return routes;
    }

    /** Where HTTP and gRPC are spoken. */
    public int port() {
        return http.port();
    }

    /** Where RESP is spoken; -1 if nowhere. */
    public int respPort() {
        return resp.port();
    }

    private static void await(Future<?> future) {
        try {
            future.toCompletionStage().toCompletableFuture().join();
        } catch (CompletionException e) {
            throw e.getCause() instanceof RuntimeException cause ? cause : e;
        }
    }

    /** Stops listening, lets requests in flight end, and closes the store. */
    @Override
    public void close() {
        admin.close();
        try {
            vertx.close()
                    .toCompletionStage()
                    .toCompletableFuture()
                    .orTimeout(config.stopDeadline().toMillis(), TimeUnit.MILLISECONDS)
                    .join();
        } catch (CompletionException e) {
            System.getLogger("io.sluice.server").log(System.Logger.Level.WARNING, "while stopping", e.getCause());
        } finally {
            deciding.close();
        }
    }
}
