package io.sluice.server;

import io.sluice.server.decide.MaxCallPeriod;
import io.sluice.server.resp.RespConnections;
import io.sluice.server.resp.RespLimits;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.net.NetServer;
import io.vertx.core.net.NetServerOptions;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/** The port for RESP. */
final class RespListener {
    /** Tells Vert.x to pick a free port. Listeners with the same negative number share a port, and HTTP uses -1. */
    private static final int FREE_PORT = -2;

    /** Bytes of the kernel's buffers of a connection. By default, a client that never reads would get megabytes. */
    private static final int KERNEL_BUFFER = 64 * 1024;

    private final Vertx vertx;
    private final ServerConfig config;
    private final ServerEngine engine;
    private final RespLimits limits;
    private final NetServerOptions options;
    private final String scheme;
    private volatile int port = -1;

    RespListener(Vertx vertx, ServerConfig config, ServerEngine engine, ServerTls tls, RespLimits limits) {
        this.vertx = vertx;
        this.config = config;
        this.engine = engine;
        this.limits = limits;
        options = new NetServerOptions()
                .setHost(config.host())
                .setPort(config.respPort() == 0 ? FREE_PORT : config.respPort())
                .setTcpNoDelay(true)
                .setSendBufferSize(KERNEL_BUFFER)
                .setReceiveBufferSize(KERNEL_BUFFER)
                .setTcpKeepAlive(true);
        tls.apply(options);
        scheme = tls.isEnabled() ? "rediss" : "redis";
    }

    /** Opens the port on every event loop, unless the configuration has none. */
    Future<?> open(Listeners listeners) {
        if (config.respPort() < 0) {
            return Future.succeededFuture();
        }
        MaxCallPeriod maxPeriod = new MaxCallPeriod(config.maxCallPeriod());
        return listeners.open(() -> {
            NetServer server = vertx.createNetServer(options);
            server.connectHandler(new RespConnections(
                    vertx,
                    engine.decider,
                    engine.throttleLimiter,
                    maxPeriod,
                    config.redis() == null,
                    config.respPassword(),
                    limits));
            return server.listen().onSuccess(listening -> {
                port = listening.actualPort();
                listeners.onStop(timeout -> server.shutdown(timeout.toMillis(), TimeUnit.MILLISECONDS));
            });
        });
    }

    /** Empty if the port is not open. */
    Optional<Endpoint> endpoint() {
        return port < 0 ? Optional.empty() : Optional.of(new Endpoint(scheme, config.host(), port, "RESP"));
    }
}
