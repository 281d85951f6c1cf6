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
 * Everything happens on one event loop, so nothing is locked, and who tells of an alert only leaves a note there.
 */
/** Posts alerts to the URLs of their {@code notify}, in order, as JSON. See {@link Delivery} for how hard it tries. */
public final class Webhooks implements AlertListener, MeterBinder {
    private static final System.Logger LOG = System.getLogger("io.sluice.server.alerts");

    private final WebhookHosts hosts;
    private final Context context;
    private final HttpClient client;
    private final Delivery delivery;
    private final Map<String, Mailbox> mailboxes = new HashMap<>();

    /** When those that fire began to. */
    private final Map<Alert, Instant> since = new HashMap<>();

    private final Outcomes outcomes = new Outcomes();
    private @Nullable Promise<Void> stopping;

    /** @param hosts where alerts may be posted to, whoever has put the policies in force and wherever he has */
    public Webhooks(Vertx vertx, WebhookHosts hosts) {
        this(vertx, hosts, Delivery.Patience.USUAL);
    }

    Webhooks(Vertx vertx, WebhookHosts hosts, Delivery.Patience patience) {
        this.hosts = hosts;
        context = vertx.getOrCreateContext();
        client = vertx.createHttpClient(
                new HttpClientOptions().setKeepAlive(false).setDecompressionSupported(false));
        delivery = new Delivery(vertx, client, patience);
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
                mailboxes
                        .computeIfAbsent(url, unused -> new Mailbox(url, delivery, outcomes, () -> emptied(url)))
                        .add(body);
            }
        }
    }

    /** Asked again, since policies may have been published by a server with another setting. */
    private boolean isAllowed(String url) {
        String host = URI.create(url).getHost();
        if (host != null && hosts.allow(host)) {
            return true;
        }
        outcomes.refused.increment();
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

    private void emptied(String url) {
        mailboxes.remove(url);
        if (stopping != null && mailboxes.isEmpty()) {
            stopping.tryComplete();
        }
    }

    /** Takes no more, and ends when all is delivered or the time is over; what is left then is counted as failed. */
    public Future<?> stop(Duration within) {
        Promise<Void> done = Promise.promise();
        context.runOnContext(unused -> {
            stopping = done;
            if (mailboxes.isEmpty()) {
                done.tryComplete();
            } else {
                context.owner().setTimer(Math.max(1, within.toMillis()), timer -> done.tryComplete());
            }
        });
        return done.future().eventually(() -> {
            mailboxes.values().forEach(Mailbox::abandon);
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
        FunctionCounter.builder("sluice.alerts.webhooks", outcomes, all -> all.of(outcome))
                .description("Alerts that were to be posted, by what came of it")
                .tag("outcome", outcome)
                .register(registry);
    }
}
