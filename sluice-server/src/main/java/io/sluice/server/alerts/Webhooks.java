package io.sluice.server.alerts;

import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.MeterBinder;
import io.sluice.policy.Alert;
import io.sluice.policy.AlertEvent;
import io.sluice.policy.AlertListener;
import io.sluice.policy.WebhookHosts;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpClient;
import io.vertx.core.http.HttpClientOptions;
import java.lang.System.Logger.Level;
import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/*
 * Everything happens on one event loop, so nothing is locked. The engine's thread only schedules a task there.
 */
/** Posts alerts to the URLs of their {@code notify}, in order, as JSON. {@link Delivery} retries. */
public final class Webhooks implements AlertListener, MeterBinder {
    private static final System.Logger LOG = System.getLogger("io.sluice.server.alerts");

    private final WebhookHosts hosts;
    private final Context context;
    private final HttpClient client;
    private final Delivery delivery;
    private final Map<String, DeliveryQueue> queues = new HashMap<>();

    /** The time at which each firing alert began to fire. */
    private final Map<Alert, Instant> since = new HashMap<>();

    private final DeliveryCounters counters = new DeliveryCounters();
    private @Nullable Promise<Void> stopping;

    /** @param hosts the hosts that alerts may be posted to, whatever the policies say */
    public Webhooks(Vertx vertx, WebhookHosts hosts) {
        this(vertx, hosts, Delivery.RetryPolicy.DEFAULT);
    }

    Webhooks(Vertx vertx, WebhookHosts hosts, Delivery.RetryPolicy retry) {
        this.hosts = hosts;
        context = vertx.getOrCreateContext();
        client = vertx.createHttpClient(
                new HttpClientOptions().setKeepAlive(false).setDecompressionSupported(false));
        delivery = new Delivery(vertx, client, retry);
    }

    @Override
    public void changed(AlertEvent event) {
        if (event.alert().targets().stream().anyMatch(Webhooks::isUrl)) {
            context.runOnContext(unused -> send(event));
        }
    }

    private void send(AlertEvent event) {
        if (stopping != null) {
            return;
        }
        Instant began = event.firing() ? event.at() : since.remove(event.alert());
        if (event.firing()) {
            since.put(event.alert(), event.at());
        }
        String body = AlertJson.of(event, began == null ? event.at() : began);
        for (String url : event.alert().targets()) {
            if (isUrl(url) && isAllowed(url)) {
                queues.computeIfAbsent(url, unused -> new DeliveryQueue(url, delivery, counters, () -> onEmpty(url)))
                        .add(body);
            }
        }
    }

    /** Checked here too, because a server with another setting may have published the policies. */
    private boolean isAllowed(String url) {
        String host = URI.create(url).getHost();
        if (host != null && hosts.allow(host)) {
            return true;
        }
        counters.refused.increment();
        LOG.log(
                Level.WARNING,
                "an alert is not posted to {0} (expected: a host that the setting webhook-hosts allows: {1})",
                host,
                hosts);
        return false;
    }

    private static boolean isUrl(String tell) {
        return tell.startsWith("http://") || tell.startsWith("https://");
    }

    private void onEmpty(String url) {
        queues.remove(url);
        if (stopping != null && queues.isEmpty()) {
            stopping.tryComplete();
        }
    }

    /** Accepts no more alerts. Completes when all are delivered or the time is over; the rest is counted as failed. */
    public Future<?> stop(Duration timeout) {
        Promise<Void> done = Promise.promise();
        context.runOnContext(unused -> {
            stopping = done;
            if (queues.isEmpty()) {
                done.tryComplete();
            } else {
                context.owner().setTimer(Math.max(1, timeout.toMillis()), timer -> done.tryComplete());
            }
        });
        return done.future().eventually(() -> {
            queues.values().forEach(DeliveryQueue::abandon);
            return client.close();
        });
    }

    @Override
    public void bindTo(MeterRegistry registry) {
        counter(registry, "delivered");
        counter(registry, "failed");
        counter(registry, "dropped");
        counter(registry, "refused");
    }

    private void counter(MeterRegistry registry, String outcome) {
        FunctionCounter.builder("sluice.alerts.webhooks", counters, all -> all.of(outcome))
                .description("Alerts for webhooks, by the outcome of their delivery")
                .tag("outcome", outcome)
                .register(registry);
    }
}
