package io.sluice.server;

import io.sluice.http.ClientAddress;
import io.sluice.server.http.AuthRoute;
import io.sluice.server.http.BatchRoute;
import io.sluice.server.http.CheckRoute;
import io.sluice.server.http.ExplainRoute;
import io.sluice.server.http.FirstBytes;
import io.sluice.server.http.OpenApiRoute;
import io.sluice.server.http.Problems;
import io.sluice.server.http.Routes;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import io.vertx.core.http.HttpMethod;
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
    private final Routes routes;

    private SluiceServer(ServerConfig config) {
        this.config = config;
        deciding = Deciding.by(config);
        int loops = Runtime.getRuntime().availableProcessors();
        FirstBytes first = new FirstBytes(config.idleTimeout());
        vertx = Vertx.builder()
                .with(new VertxOptions().setEventLoopPoolSize(loops))
                .withTransport(WatchedTransport.fastest(first::accepted))
                .build();
        http = new HttpListener(vertx, first, config);
        routes = route();
        Listeners listeners = new Listeners(vertx, loops);
        try {
            await(http.open(listeners, routes));
        } catch (RuntimeException e) {
            close();
            throw e;
        }
    }

    /** Begins to listen; returns when every port is open. */
    public static SluiceServer start(ServerConfig config) {
        return new SluiceServer(config);
    }

    private Routes route() {
        return new Routes(route -> request -> Problems.answer(request, 401, "no admin token"))
                .open(HttpMethod.POST, "/v1/check", new CheckRoute(deciding.checks, config.legacyHeaders()))
                .open(HttpMethod.POST, "/v1/check:batch", new BatchRoute(deciding.checks))
                .open(
                        "/v1/auth",
                        new AuthRoute(deciding.checks, new ClientAddress(config.trusted()), config.legacyHeaders()))
                .open(HttpMethod.GET, "/openapi.yaml", new OpenApiRoute())
                .admin(HttpMethod.POST, "/v1/explain", new ExplainRoute(deciding.engine));
    }

    /** What is served. */
    Routes routes() {
        return routes;
    }

    /** Where HTTP and gRPC are spoken. */
    public int port() {
        return http.port();
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
