package io.sluice.server;

import io.sluice.TimeSource;
import io.sluice.http.ClientAddress;
import io.sluice.server.admin.AdminRoutes;
import io.sluice.server.admin.AdminToken;
import io.sluice.server.alerts.Webhooks;
import io.sluice.server.decide.CallPeriod;
import io.sluice.server.guard.AuthAttempts;
import io.sluice.server.http.AuthRoute;
import io.sluice.server.http.BatchRoute;
import io.sluice.server.http.ByteBudget;
import io.sluice.server.http.CheckRoute;
import io.sluice.server.http.ExplainRoute;
import io.sluice.server.http.FirstBytes;
import io.sluice.server.http.OpenApiRoute;
import io.sluice.server.http.Routes;
import io.sluice.server.http.StreamFailures;
import io.sluice.server.ops.HealthRoutes;
import io.sluice.server.ops.MetricsRoute;
import io.sluice.server.ops.Readiness;
import io.sluice.server.ops.ServerMetrics;
import io.sluice.server.ops.Traffic;
import io.sluice.server.resp.RespLimits;
import io.sluice.server.rls.GrpcHandler;
import io.sluice.server.rls.Rls;
import io.vertx.core.Future;
import io.vertx.core.Handler;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.metrics.MetricsOptions;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletionException;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

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
    private final AuthAttempts tokens;
    private final ServerMetrics metrics;
    private final AdminRoutes admin;
    private final HttpListener http;
    private final RespListener resp;
    private boolean closed;

    /** What is asked where. */
    final Routes routes;

    private SluiceServer(ServerConfig config) {
        this.config = config;
        ServerStore store;
        try {
            int loops = Runtime.getRuntime().availableProcessors();
            FirstBytes first = new FirstBytes(config.idleTimeout());
            ConnectionCap httpCap = ConnectionCap.by(config, "http");
            ConnectionCap respCap = ConnectionCap.by(config, "resp");
            vertx = vertx(
                    loops, WatchedTransport.fastest(StreamFailures.of(first.of(httpCap::admits)), respCap::admits));
            stops.add(left -> vertx.close());
            Tls tls = Tls.by(config, vertx);
            store = ServerStore.open(config);
            stops.add(store);
            Webhooks webhooks = new Webhooks(vertx, config.webhookHosts());
            stops.add(webhooks::stop);
            deciding = Deciding.by(config, store.store);
            stops.add(deciding);
            deciding.engine.addAlertListener(webhooks);
            readiness = new Readiness(store.watch(vertx), deciding.engine::policies);
            ByteBudget budget = ByteBudget.ofThisProcess();
            tokens = attempts("admin-token");
            AuthAttempts passwords = attempts("resp-password");
            RespLimits respLimits = new RespLimits(loops, config.respAuthTimeout(), passwords);
            metrics = new ServerMetrics(List.of(
                    deciding.engine.metrics(),
                    store.metrics,
                    webhooks,
                    traffic,
                    budget,
                    httpCap,
                    respCap,
                    tokens,
                    passwords,
                    respLimits));
            stops.add(metrics);
            admin = new AdminRoutes(vertx, deciding.engine, deciding.book, config.webhookHosts());
            routes = routes();
            Listeners listeners = new Listeners(vertx, loops);
            stops.add(listeners::stop);
            // Before the listeners, which wait for every stream.
            stops.add(admin);
            http = new HttpListener(vertx, first, budget, config, tls);
            await(config.port(), http.open(listeners, handler()));
            resp = new RespListener(vertx, config, deciding, tls, respLimits);
            await(config.respPort(), resp.open(listeners));
            store.keep(config.snapshotEvery(), traffic::asked);
        } catch (RuntimeException e) {
            stops.all(Duration.ZERO);
            throw e;
        }
        StartLog.lines(config, deciding, store).forEach(line -> LOG.log(Level.INFO, line));
        endpoints().forEach(endpoint -> LOG.log(Level.INFO, "listening on {0}", endpoint));
        @Nullable String fewFiles = ConnectionCap.warning(config);
        if (fewFiles != null) {
            LOG.log(Level.INFO, fewFiles);
        }
        if (config.adminToken() == null) {
            LOG.log(Level.INFO, "there is no admin token, so nobody can administer this server");
        }
    }

    private Vertx vertx(int loops, WatchedTransport transport) {
        VertxOptions options =
                new VertxOptions().setEventLoopPoolSize(loops).setMetricsOptions(new MetricsOptions().setEnabled(true));
        return Vertx.builder()
                .with(options)
                .withMetrics(traffic)
                .withTransport(transport)
                .build();
    }

    private AuthAttempts attempts(String secret) {
        return new AuthAttempts(
                secret, (delay, task) -> vertx.setTimer(delay.toMillis(), unused -> task.run()), TimeSource.system());
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

    private Handler<HttpServerRequest> handler() {
        GrpcHandler grpc = new Rls(deciding.checks, deciding.overridden, new CallPeriod(config.maxCallPeriod()))
                .matchingEnvoyFiles(deciding.isByEnvoyFiles())
                .ready(readiness::isReady)
                .stopping(readiness::isStopping)
                .legacyHeaders(config.legacyHeaders())
                .handler(vertx);
        return request -> (GrpcHandler.isGrpc(request) ? grpc : routes).handle(request);
    }

    private Routes routes() {
        boolean legacy = config.legacyHeaders();
        Routes routes = new Routes(new AdminToken(config.adminToken(), tokens, new ClientAddress(config.trusted())))
                .open(HttpMethod.POST, "/v1/check", new CheckRoute(deciding.checks, legacy))
                .open(HttpMethod.POST, "/v1/check:batch", new BatchRoute(deciding.checks))
                .open("/v1/auth", new AuthRoute(deciding.checks, config.trusted(), legacy))
                .open(HttpMethod.GET, "/openapi.yaml", new OpenApiRoute())
                .admin(HttpMethod.POST, "/v1/explain", new ExplainRoute(deciding.engine));
        admin.addTo(routes);
        new HealthRoutes(readiness, traffic).addTo(routes);
        MetricsRoute scrape = new MetricsRoute(vertx, metrics.registry(), traffic);
        return config.openMetrics()
                ? routes.open(HttpMethod.GET, "/metrics", scrape)
                : routes.admin(HttpMethod.GET, "/metrics", scrape);
    }

    /** Where it listens. */
    public List<Endpoint> endpoints() {
        return Stream.concat(Stream.of(http.endpoint()), resp.endpoint().stream())
                .toList();
    }

    /** Where HTTP and gRPC are spoken. */
    public int port() {
        return http.endpoint().port();
    }

    /** Where RESP is spoken; -1 if nowhere. */
    public int respPort() {
        return resp.endpoint().map(Endpoint::port).orElse(-1);
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
