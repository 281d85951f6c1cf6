package io.sluice.server.alerts;

import java.lang.System.Logger.Level;
import java.net.URI;
import java.util.ArrayDeque;
import java.util.Deque;

/** The alerts that wait to be posted to one URL, one after the other, so that "resolved" never overtakes "firing". */
final class DeliveryQueue {
    private static final System.Logger LOG = System.getLogger("io.sluice.server.alerts");
    static final int MAX_WAITING = 100;

    private final String url;
    private final Delivery delivery;
    private final DeliveryCounters counters;
    private final Runnable onEmpty;
    private final Deque<String> waiting = new ArrayDeque<>();
    private boolean busy;
    private boolean abandoned;

    DeliveryQueue(String url, Delivery delivery, DeliveryCounters counters, Runnable onEmpty) {
        this.url = url;
        this.delivery = delivery;
        this.counters = counters;
        this.onEmpty = onEmpty;
    }

    void add(String body) {
        if (waiting.size() == MAX_WAITING) {
            waiting.removeFirst();
            counters.dropped.increment();
            LOG.log(
                    Level.WARNING,
                    "alerts for {0}: more than {1} wait, so the oldest was dropped",
                    urlWithoutPath(),
                    MAX_WAITING);
        }
        waiting.addLast(body);
        if (!busy) {
            next();
        }
    }

    private void next() {
        String body = waiting.pollFirst();
        busy = body != null;
        if (body == null) {
            onEmpty.run();
            return;
        }
        delivery.deliver(url, body).onComplete(delivered -> {
            if (abandoned) {
                return;
            }
            if (delivered.succeeded()) {
                counters.delivered.increment();
            } else {
                counters.failed.increment();
                LOG.log(
                        Level.WARNING,
                        "an alert could not be posted to {0}: {1}",
                        urlWithoutPath(),
                        delivered.cause().getMessage());
            }
            next();
        });
    }

    /** Drops the waiting alerts and ignores the result of the one in flight. */
    void abandon() {
        abandoned = true;
        int left = waiting.size() + (busy ? 1 : 0);
        counters.failed.add(left);
        LOG.log(Level.WARNING, "{0} alerts were not posted to {1} before the server stopped", left, urlWithoutPath());
    }

    /** The URL without its path, which often contains a secret. */
    private String urlWithoutPath() {
        URI uri = URI.create(url);
        return uri.getScheme() + "://" + uri.getHost() + (uri.getPort() < 0 ? "" : ":" + uri.getPort());
    }
}
