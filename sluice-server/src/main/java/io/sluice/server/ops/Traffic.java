package io.sluice.server.ops;

import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.MeterBinder;
import io.vertx.core.VertxOptions;
import io.vertx.core.http.HttpServerOptions;
import io.vertx.core.net.NetServerOptions;
import io.vertx.core.net.SocketAddress;
import io.vertx.core.spi.VertxMetricsFactory;
import io.vertx.core.spi.metrics.HttpServerMetrics;
import io.vertx.core.spi.metrics.TCPMetrics;
import io.vertx.core.spi.metrics.VertxMetrics;
import io.vertx.core.spi.observability.HttpRequest;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/** Counts what comes in, on every listener: given to Vert.x, which tells it. */
public final class Traffic implements VertxMetricsFactory, VertxMetrics, MeterBinder {
    private final Counted http = new Counted();
    private final Counted resp = new Counted();
    private final LongAdder probes = new LongAdder();

    /** A request was answered that asks how the server is, and changes nothing. */
    void probed() {
        probes.increment();
    }

    /** A number that changes when anything was asked that may have been counted. */
    public long asked() {
        return http.requests.sum() + resp.requests.sum() - probes.sum();
    }

    @Override
    public void bindTo(MeterRegistry registry) {
        http.bindTo(registry, "http");
        resp.bindTo(registry, "resp");
        FunctionCounter.builder("sluice.http.requests", http.requests, LongAdder::sum)
                .description("Requests over HTTP, those of gRPC among them")
                .register(registry);
    }

    @Override
    public VertxMetrics metrics(VertxOptions options) {
        return this;
    }

    @Override
    public HttpServerMetrics<?, ?, ?> createHttpServerMetrics(HttpServerOptions options, SocketAddress address) {
        return http;
    }

    @Override
    public TCPMetrics<?> createNetServerMetrics(NetServerOptions options, SocketAddress address) {
        return resp;
    }

    /** A listener's. RESP has no requests that Vert.x knew of: what was read counts for one. */
    private final class Counted implements HttpServerMetrics<@Nullable Void, @Nullable Void, @Nullable Void> {
        final LongAdder open = new LongAdder();
        final LongAdder accepted = new LongAdder();
        final LongAdder requests = new LongAdder();

        void bindTo(MeterRegistry registry, String listener) {
            Gauge.builder("sluice.connections", open, LongAdder::sum)
                    .description("Connections that are open")
                    .tag("listener", listener)
                    .register(registry);
            FunctionCounter.builder("sluice.connections.accepted", accepted, LongAdder::sum)
                    .description("Connections that were accepted")
                    .tag("listener", listener)
                    .register(registry);
        }

        @Override
        public @Nullable Void connected(SocketAddress remote, String name) {
            open.increment();
            accepted.increment();
            return null;
        }

        @Override
        public void disconnected(@Nullable Void socket, SocketAddress remote) {
            open.decrement();
        }

        @Override
        public @Nullable Void requestBegin(@Nullable Void socket, HttpRequest request) {
            requests.increment();
            return null;
        }

        @Override
        public void bytesRead(@Nullable Void socket, SocketAddress remote, long bytes) {
            if (this == resp) {
                requests.increment();
            }
        }
    }
}
