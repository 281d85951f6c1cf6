package io.sluice.server;

import io.sluice.server.decide.CallPeriod;
import io.sluice.server.resp.RespConnections;
import io.sluice.server.resp.RespLimits;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.net.NetServer;
import io.vertx.core.net.NetServerOptions;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/** The port where RESP is spoken. */
final class RespListener {
    /** Asks for a free port: listeners that ask for the same negative one share it, and HTTP asks for -1. */
    private static final int FREE = -2;

    /** Bytes that the kernel keeps of a connection, in each direction: it would take megabytes from who never reads. */
    private static final int KERNEL_BUFFER = 64 * 1024;

    private final Vertx vertx;
    private final ServerConfig config;
    private final Deciding deciding;
    private final RespLimits limits;
    private final NetServerOptions options;
    private final String scheme;
    private volatile int port = -1;

    RespListener(Vertx vertx, ServerConfig config, Deciding deciding, Tls tls, RespLimits limits) {
        this.vertx = vertx;
        this.config = config;
        this.deciding = deciding;
        this.limits = limits;
        options = new NetServerOptions()
                .setHost(config.host())
                .setPort(config.respPort() == 0 ? FREE : config.respPort())
                .setTcpNoDelay(true)
                .setSendBufferSize(KERNEL_BUFFER)
                .setReceiveBufferSize(KERNEL_BUFFER)
                .setTcpKeepAlive(true);
        tls.apply(options);
        scheme = tls.isOn() ? "rediss" : "redis";
    }

    /** Nothing if the configuration wants none. */
    Future<?> open(Listeners listeners) {
        if (config.respPort() < 0) {
            return Future.succeededFuture();
        }
        CallPeriod periods = new CallPeriod(config.maxCallPeriod());
        return listeners.open(() -> {
            NetServer server = vertx.createNetServer(options);
            server.connectHandler(new RespConnections(
                    vertx,
                    deciding.checks,
                    deciding.throttled,
                    periods,
                    config.redis() == null,
                    config.respPassword(),
                    limits));
            return server.listen().onSuccess(listening -> {
                port = listening.actualPort();
                listeners.onStop(within -> server.shutdown(within.toMillis(), TimeUnit.MILLISECONDS));
            });
        });
    }

    /** Nothing if it is not open. */
    Optional<Endpoint> endpoint() {
        return port < 0 ? Optional.empty() : Optional.of(new Endpoint(scheme, config.host(), port, "RESP"));
    }
}
