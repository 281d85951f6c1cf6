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
 * With ten thousand policies there are megabytes to write: a worker does it, and who asks meanwhile for the same gets the
 * same, so that no crowd of scrapers can fill the memory.
 */
/** {@code GET /metrics}, in the format that the scraper asks for. */
public final class MetricsRoute implements Route {
    private static final PeerLog LOG = PeerLog.to("io.sluice.server");
    private static final String TEXT = "text/plain; version=0.0.4; charset=utf-8";
    private static final String OPEN_METRICS = "application/openmetrics-text; version=1.0.0; charset=utf-8";

    private final Vertx vertx;
    private final PrometheusMeterRegistry registry;
    private final Traffic traffic;
    private final Map<String, Future<Buffer>> underway = new HashMap<>();

    public MetricsRoute(Vertx vertx, PrometheusMeterRegistry registry, Traffic traffic) {
        this.vertx = vertx;
        this.registry = registry;
        this.traffic = traffic;
    }

    @Override
    public void handle(HttpServerRequest request) {
        traffic.probed();
        String format = format(request.getHeader("Accept"));
        // The answer may have been asked for by a request of another event loop.
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
            LOG.failure("the metrics cannot be written", scraped.cause());
            Problems.answer(request, 500, "the metrics cannot be written; the log says why");
        }
    }

    private synchronized Future<Buffer> scrape(String format) {
        Future<Buffer> known = underway.get(format);
        if (known != null) {
            return known;
        }
        Future<Buffer> scrape = vertx.executeBlocking(() -> write(format), false);
        underway.put(format, scrape);
        scrape.onComplete(done -> ended(format));
        return scrape;
    }

    private synchronized void ended(String format) {
        underway.remove(format);
    }

    private Buffer write(String format) throws IOException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        registry.scrape(out, format);
        return Buffer.buffer(out.toByteArray());
    }
}
