package io.sluice.server;

import io.sluice.TimeSource;
import io.sluice.http.ClientAddress;
import io.sluice.micrometer.PolicyMetrics;
import io.sluice.server.admin.AdminAccess;
import io.sluice.server.admin.AdminRoutes;
import io.sluice.server.admin.AdminToken;
import io.sluice.server.admin.CallerAddress;
import io.sluice.server.admin.EditionAuthors;
import io.sluice.server.admin.SessionRoutes;
import io.sluice.server.admin.Sessions;
import io.sluice.server.alerts.Webhooks;
import io.sluice.server.dashboard.DashboardRoutes;
import io.sluice.server.decide.MaxCallPeriod;
import io.sluice.server.guard.AuthAttempts;
import io.sluice.server.http.AuthRoute;
import io.sluice.server.http.BatchRoute;
import io.sluice.server.http.CheckRoute;
import io.sluice.server.http.ExplainRoute;
import io.sluice.server.http.HoldRoute;
import io.sluice.server.http.HttpConnections;
import io.sluice.server.http.OpenApiRoute;
import io.sluice.server.http.ReserveRoute;
import io.sluice.server.http.Routes;
import io.sluice.server.http.SettleRoute;
import io.sluice.server.live.LiveRoutes;
import io.sluice.server.ops.HealthRoutes;
import io.sluice.server.ops.MetricsRoute;
import io.sluice.server.ops.Readiness;
import io.sluice.server.ops.ServerMetrics;
import io.sluice.server.ops.TrafficMetrics;
import io.sluice.server.playground.PlaygroundRoutes;
import io.sluice.server.resp.RespLimits;
import io.sluice.server.rls.GrpcHandler;
import io.sluice.server.rls.GrpcServices;
import io.sluice.server.vertx.AcceptFilterTransport;
import io.sluice.server.vertx.ByteBudget;
import io.sluice.server.vertx.HeaderTimeout;
import io.sluice.server.vertx.StreamFailures;
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
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A running Sluice service. A replica keeps no shared state of its own: shared state is in Redis.
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
    private final ShutdownSequence shutdown = new ShutdownSequence();
    private final TrafficMetrics traffic = new TrafficMetrics();
    private final Vertx vertx;
    private final ServerEngine engine;
    private final Readiness readiness;
    private final CallerAddress caller;
    private final AuthAttempts tokenAttempts;
    private final ServerMetrics metrics;
    private final AdminRoutes admin;
    private final LiveRoutes live;
    private final HttpListener http;
    private final RespListener resp;
    private boolean closed;

    final Routes routes;

    private SluiceServer(ServerConfig config) {
        this.config = config;
        this.caller = new CallerAddress(new ClientAddress(config.trusted()));
        ServerStore store;
        try {
            int eventLoops = Runtime.getRuntime().availableProcessors();
            HeaderTimeout headerTimeout = new HeaderTimeout(HttpConnections.requestTimeout(config.idleTimeout()));
            ConnectionCap httpCap = ConnectionCap.of(config, "http");
            ConnectionCap respCap = ConnectionCap.of(config, "resp");
            vertx = vertx(
                    eventLoops,
                    AcceptFilterTransport.fastest(
                            StreamFailures.filter(headerTimeout.filter(httpCap::admit)), respCap::admit));
            shutdown.add(timeLeft -> vertx.close());
            ServerTls tls = ServerTls.load(config, vertx);
            store = ServerStore.open(config);
            shutdown.add(store);
            Webhooks webhooks = new Webhooks(vertx, config.webhookHosts());
            shutdown.add(webhooks::stop);
            engine = ServerEngine.open(config, store.store);
            shutdown.add(engine);
            engine.policyEngine.addAlertListener(webhooks);
            BooleanSupplier storeReachable = store.watch(vertx);
            readiness = new Readiness(storeReachable, engine.policyEngine::policies);
            ByteBudget budget = ByteBudget.ofThisProcess();
            tokenAttempts = attempts("admin-token");
            AuthAttempts passwordAttempts = attempts("resp-password");
            RespLimits respLimits = new RespLimits(eventLoops, config.respAuthTimeout(), passwordAttempts);
            metrics = new ServerMetrics(
                    config.latencyHistogram(),
                    List.of(
                            new PolicyMetrics(engine.policyEngine),
                            store.metrics,
                            webhooks,
                            traffic,
                            budget,
                            httpCap,
                            respCap,
                            tokenAttempts,
                            passwordAttempts,
                            respLimits));
            shutdown.add(metrics);
            admin = new AdminRoutes(
                    vertx,
                    engine.policyEngine,
                    engine.repository,
                    engine.overrides,
                    new EditionAuthors(store.notes("authors"), config.dataDir()),
                    engine.recording,
                    config.webhookHosts(),
                    caller);
            live = new LiveRoutes(
                    vertx,
                    engine.policyEngine,
                    storeReachable,
                    () -> engine.repository.current().edition(),
                    store.notes("live"));
            routes = routes();
            Listeners listeners = new Listeners(vertx, eventLoops);
            shutdown.add(listeners::stop);
            // Stopped before the listeners, because they wait for every stream to end.
            shutdown.add(admin);
            shutdown.add(live);
            http = new HttpListener(vertx, headerTimeout, budget, config, tls);
            await(config.port(), http.open(listeners, handler()));
            resp = new RespListener(vertx, config, engine, tls, respLimits);
            await(config.respPort(), resp.open(listeners));
            live.start(replicaName(), ServerMetrics.version(), TimeSource.system());
            store.startSnapshots(config.snapshotEvery(), traffic::requests);
        } catch (RuntimeException | Error e) {
            // An error too: a program whose class path has another Netty must end, not wait for event loops.
            shutdown.run(Duration.ZERO);
            throw e;
        }
        StartLog.lines(config, engine, store).forEach(line -> LOG.log(Level.INFO, line));
        endpoints().forEach(endpoint -> LOG.log(Level.INFO, "listening on {0}", endpoint));
        @Nullable String warning = ConnectionCap.warning(config);
        if (warning != null) {
            LOG.log(Level.INFO, warning);
        }
        if (config.adminToken() == null) {
            LOG.log(Level.INFO, "there is no admin token, so nobody can administer this server");
        }
    }

    private Vertx vertx(int eventLoops, AcceptFilterTransport transport) {
        VertxOptions options = new VertxOptions()
                .setEventLoopPoolSize(eventLoops)
                .setMetricsOptions(new MetricsOptions().setEnabled(true));
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

    /**
     * Starts a server. Returns when every port is open.
     *
     * @throws SettingException if a setting cannot be used
     * @throws StartException if a port or the data directory is in use
     * @throws io.sluice.policy.PolicyException if the policies are invalid
     */
    public static SluiceServer start(ServerConfig config) {
        return new SluiceServer(config);
    }

    private Handler<HttpServerRequest> handler() {
        GrpcHandler grpc = new GrpcServices(
                        engine.decider, engine.descriptorLimiter, new MaxCallPeriod(config.maxCallPeriod()))
                .matchingEnvoyFiles(engine.usesEnvoyFiles())
                .ready(readiness::isReady)
                .stopping(readiness::isStopping)
                .legacyHeaders(config.legacyHeaders())
                .handler(vertx);
        return request -> (GrpcHandler.isGrpc(request) ? grpc : routes).handle(request);
    }

    private Routes routes() {
        boolean legacy = config.legacyHeaders();
        AdminToken token = new AdminToken(config.adminToken(), tokenAttempts, caller);
        @Nullable Sessions sessions = sessions();
        Routes routes = new Routes(new AdminAccess(token, sessions, config.dashboard()))
                .open(HttpMethod.POST, "/v1/check", CheckRoute.check(engine.decider, legacy))
                .open(HttpMethod.POST, "/v1/charge", CheckRoute.charge(engine.decider, legacy))
                .open(HttpMethod.POST, "/v1/reserve", new ReserveRoute(engine.decider, legacy))
                .open(HttpMethod.POST, "/v1/settle", new SettleRoute(engine.decider, legacy))
                .open(HttpMethod.POST, "/v1/release", HoldRoute.release(engine.decider))
                .open(HttpMethod.POST, "/v1/renew", HoldRoute.renew(engine.decider))
                .open(HttpMethod.POST, "/v1/check:batch", new BatchRoute(engine.decider))
                .open("/v1/auth", new AuthRoute(engine.decider, config.trusted(), legacy))
                .open(HttpMethod.GET, "/openapi.yaml", new OpenApiRoute())
                .read(HttpMethod.POST, "/v1/explain", new ExplainRoute(engine.policyEngine));
        admin.addTo(routes);
        live.addTo(routes);
        if (config.dashboard() != DashboardAccess.OFF) {
            new SessionRoutes(token, sessions, config.dashboard(), caller).addTo(routes);
            new DashboardRoutes(vertx).addTo(routes);
            new PlaygroundRoutes(vertx).addTo(routes);
        }
        new HealthRoutes(readiness, traffic).addTo(routes);
        MetricsRoute scrape = new MetricsRoute(vertx, metrics.registry(), traffic);
        return config.openMetrics()
                ? routes.open(HttpMethod.GET, "/metrics", scrape)
                : routes.admin(HttpMethod.GET, "/metrics", scrape);
    }

    /** The address of this replica, for people. */
    private String replicaName() {
        String machine = System.getenv("HOSTNAME");
        return (machine == null || machine.isBlank() ? config.host() : machine) + ":" + port();
    }

    /** Null if nobody can have a session. */
    private @Nullable Sessions sessions() {
        String token = config.adminToken();
        if (token == null || token.isEmpty() || config.dashboard() == DashboardAccess.OFF) {
            return null;
        }
        return new Sessions(token, config.tlsCertificate() != null, TimeSource.system());
    }

    /** The addresses on which the server listens. */
    public List<Endpoint> endpoints() {
        return Stream.concat(Stream.of(http.endpoint()), resp.endpoint().stream())
                .toList();
    }

    /** The port for HTTP and gRPC. */
    public int port() {
        return http.endpoint().port();
    }

    /** The port for RESP; -1 if there is none. */
    public int respPort() {
        return resp.endpoint().map(Endpoint::port).orElse(-1);
    }

    private void await(int port, Future<?> listening) {
        try {
            listening.toCompletionStage().toCompletableFuture().join();
        } catch (CompletionException e) {
            throw Listeners.cannotListen(config.host(), port, e.getCause() == null ? e : e.getCause());
        }
    }

    /**
     * Stops the server: it is no longer ready, accepts no more connections, completes requests in flight within the {@link
     * ServerConfig#stopDeadline() deadline}, saves the last snapshot, and closes the store. A concurrent call waits until the
     * first has finished.
     */
    @Override
    public synchronized void close() {
        if (!closed) {
            closed = true;
            LOG.log(Level.INFO, "stopping");
            readiness.stop();
            shutdown.run(config.stopDeadline());
            LOG.log(Level.INFO, "stopped");
        }
    }
}
