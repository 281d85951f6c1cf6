package io.sluice.server.ops;

import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.sluice.server.http.Problems;
import io.sluice.server.http.Route;
import io.sluice.server.logging.PeerLog;
import io.vertx.core.AsyncResult;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpServerRequest;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/*
 * With ten thousand policies the metrics have megabytes. A worker thread writes them, and concurrent requests for the same format
 * share one result, so that many scrapers cannot fill the memory.
 */
/** {@code GET /metrics}, in the format that the client accepts. */
public final class MetricsRoute implements Route {
    private static final PeerLog LOG = PeerLog.to("io.sluice.server");
    private static final String TEXT = "text/plain; version=0.0.4; charset=utf-8";
    private static final String OPEN_METRICS = "application/openmetrics-text; version=1.0.0; charset=utf-8";

    private final Vertx vertx;
    private final PrometheusMeterRegistry registry;
    private final TrafficMetrics traffic;
    private final Map<String, Future<Buffer>> pending = new HashMap<>();

    public MetricsRoute(Vertx vertx, PrometheusMeterRegistry registry, TrafficMetrics traffic) {
        this.vertx = vertx;
        this.registry = registry;
        this.traffic = traffic;
    }

    @Override
    public void handle(HttpServerRequest request) {
        traffic.countProbe();
        String format = format(request.getHeader("Accept"));
        // The shared result may belong to a request of another event loop.
        Context context = vertx.getOrCreateContext();
        scrape(format).onComplete(scraped -> context.runOnContext(unused -> answer(request, format, scraped)));
    }

    private static String format(@Nullable String accept) {
        return accept != null && accept.contains("application/openmetrics-text") ? OPEN_METRICS : TEXT;
    }

    private static void answer(HttpServerRequest request, String format, AsyncResult<Buffer> scraped) {
        if (scraped.succeeded()) {
            request.response().putHeader("Content-Type", format).end(scraped.result());
        } else {
            LOG.error("the metrics cannot be written", scraped.cause());
            Problems.answer(request, 500, "the metrics cannot be written; the log says why");
        }
    }

    private synchronized Future<Buffer> scrape(String format) {
        Future<Buffer> known = pending.get(format);
        if (known != null) {
            return known;
        }
        Future<Buffer> scrape = vertx.executeBlocking(() -> write(format), false);
        pending.put(format, scrape);
        scrape.onComplete(done -> onScraped(format));
        return scrape;
    }

    private synchronized void onScraped(String format) {
        pending.remove(format);
    }

    private Buffer write(String format) throws IOException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        registry.scrape(out, format);
        return Buffer.buffer(out.toByteArray());
    }
}
