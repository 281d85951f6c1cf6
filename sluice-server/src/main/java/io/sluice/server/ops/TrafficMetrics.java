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

/** Counts connections and requests of every listener. Vert.x calls it through its metrics SPI. */
public final class TrafficMetrics implements VertxMetricsFactory, VertxMetrics, MeterBinder {
    private final ListenerMetrics http = new ListenerMetrics();
    private final ListenerMetrics resp = new ListenerMetrics();
    private final LongAdder probes = new LongAdder();

    /** Counts a request for the health or the metrics of the server, which changes nothing. */
    void countProbe() {
        probes.increment();
    }

    /** The number of requests that may have changed the store. */
    public long requests() {
        return http.requests.sum() + resp.requests.sum() - probes.sum();
    }

    @Override
    public void bindTo(MeterRegistry registry) {
        http.bindTo(registry, "http");
        resp.bindTo(registry, "resp");
        FunctionCounter.builder("sluice.http.requests", http.requests, LongAdder::sum)
                .description("HTTP requests, including gRPC calls")
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

    /** The counters of one listener. Vert.x does not know RESP requests, so each read counts as one. */
    private final class ListenerMetrics implements HttpServerMetrics<@Nullable Void, @Nullable Void, @Nullable Void> {
        final LongAdder open = new LongAdder();
        final LongAdder accepted = new LongAdder();
        final LongAdder requests = new LongAdder();

        void bindTo(MeterRegistry registry, String listener) {
            Gauge.builder("sluice.connections", open, LongAdder::sum)
                    .description("Open connections")
                    .tag("listener", listener)
                    .register(registry);
            FunctionCounter.builder("sluice.connections.accepted", accepted, LongAdder::sum)
                    .description("Accepted connections")
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
