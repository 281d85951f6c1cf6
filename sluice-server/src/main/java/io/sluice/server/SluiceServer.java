package io.sluice.server;

import io.sluice.server.alerts.Webhooks;
import io.sluice.server.http.CheckRoute;
import io.sluice.server.http.Problems;
import io.sluice.server.http.Routes;
import io.sluice.server.ops.HealthRoutes;
import io.sluice.server.ops.MetricsRoute;
import io.sluice.server.ops.Readiness;
import io.sluice.server.ops.ServerMetrics;
import io.sluice.server.ops.Traffic;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.metrics.MetricsOptions;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletionException;

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
    private static final System.Logger LOG = System.getLogger("io.sluice.server");

    private final ServerConfig config;
    private final Stops stops = new Stops();
    private final Traffic traffic = new Traffic();
    private final Vertx vertx;
    private final Deciding deciding;
    private final Readiness readiness;
    private final ServerMetrics metrics;
    private final HttpListener http;
    private boolean closed;

    private SluiceServer(ServerConfig config) {
        this.config = config;
        try {
            int loops = Runtime.getRuntime().availableProcessors();
            vertx = vertx(loops);
            stops.add(left -> vertx.close());
            Tls tls = Tls.by(config, vertx);
            ServerStore store = ServerStore.open(config);
            stops.add(store);
            Webhooks webhooks = new Webhooks(vertx);
            stops.add(webhooks::stop);
            deciding = Deciding.by(config, store.store);
            stops.add(deciding);
            deciding.engine.addAlertListener(webhooks);
            readiness = new Readiness(store.watch(vertx), deciding.engine::policies);
            metrics = new ServerMetrics(List.of(deciding.engine.metrics(), store.metrics, webhooks, traffic));
            stops.add(metrics);
            Listeners listeners = new Listeners(vertx, loops);
            stops.add(listeners::stop);
            http = new HttpListener(vertx, config, tls);
            await(config.port(), http.open(listeners, routes()));
            store.keep(config.snapshotEvery(), traffic::asked);
        } catch (RuntimeException e) {
            stops.all(Duration.ZERO);
            throw e;
        }
        endpoints().forEach(endpoint -> LOG.log(Level.INFO, "listening on {0}", endpoint));
        if (config.adminToken() == null) {
            LOG.log(Level.INFO, "there is no admin token, so nobody can administer this server");
        }
    }

    private Vertx vertx(int loops) {
        VertxOptions options = new VertxOptions()
                .setEventLoopPoolSize(loops)
                .setPreferNativeTransport(true)
                .setMetricsOptions(new MetricsOptions().setEnabled(true));
        return Vertx.builder().with(options).withMetrics(traffic).build();
    }

    /** Begins to listen; returns when every port is open.
     *
     * @throws SettingException if what it is told cannot be used
     * @throws StartException if it cannot start here and now: another has the port, or the data directory
     * @throws io.sluice.policy.PolicyException if the policies are refused
     */
    public static SluiceServer start(ServerConfig config) {
        return new SluiceServer(config);
    }

    private Routes routes() {
        Routes routes = new Routes(route -> request -> Problems.answer(request, 401, "no admin token"))
                .open(HttpMethod.POST, "/v1/check", new CheckRoute(deciding.checks));
        new HealthRoutes(readiness, traffic).addTo(routes);
        MetricsRoute scrape = new MetricsRoute(vertx, metrics.registry(), traffic);
        return config.openMetrics()
                ? routes.open(HttpMethod.GET, "/metrics", scrape)
                : routes.admin(HttpMethod.GET, "/metrics", scrape);
    }

    /** Where it listens. */
    public List<Endpoint> endpoints() {
        return List.of(http.endpoint());
    }

    /** Where HTTP and gRPC are spoken. */
    public int port() {
        return http.endpoint().port();
    }

    private void await(int port, Future<?> listening) {
        try {
            listening.toCompletionStage().toCompletableFuture().join();
        } catch (CompletionException e) {
            throw Listeners.refused(config.host(), port, e.getCause() == null ? e : e.getCause());
        }
    }

    /**
     * Is no longer ready, accepts nothing more, lets requests in flight end within the {@link
     * ServerConfig#stopDeadline() deadline}, saves what was counted, and closes the store. Who calls it while another does
     * waits until that is done.
     */
    @Override
    public synchronized void close() {
        if (!closed) {
            closed = true;
            LOG.log(Level.INFO, "stopping");
            readiness.stop();
            stops.all(config.stopDeadline());
            LOG.log(Level.INFO, "stopped");
        }
    }
}
