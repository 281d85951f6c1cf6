package io.sluice.server.alerts;

import java.lang.System.Logger.Level;
import java.net.URI;
import java.util.ArrayDeque;
import java.util.Deque;

/** What waits to be posted to one URL: one after the other, so that "resolved" never overtakes "firing". */
final class Mailbox {
    private static final System.Logger LOG = System.getLogger("io.sluice.server.alerts");
    static final int MOST_WAITING = 100;

    private final String url;
    private final Delivery delivery;
    private final Outcomes outcomes;
    private final Runnable emptied;
    private final Deque<String> waiting = new ArrayDeque<>();
    private boolean busy;
    private boolean abandoned;

    Mailbox(String url, Delivery delivery, Outcomes outcomes, Runnable emptied) {
        this.url = url;
        this.delivery = delivery;
        this.outcomes = outcomes;
        this.emptied = emptied;
    }

    void add(String body) {
        if (waiting.size() == MOST_WAITING) {
            waiting.removeFirst();
            outcomes.dropped.increment();
            LOG.log(
                    Level.WARNING,
                    "alerts for {0}: more than {1} wait, so the oldest was dropped",
                    shown(),
                    MOST_WAITING);
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
            emptied.run();
            return;
        }
        delivery.deliver(url, body).onComplete(delivered -> {
            if (abandoned) {
                return;
            }
            if (delivered.succeeded()) {
                outcomes.delivered.increment();
            } else {
                outcomes.failed.increment();
                LOG.log(
                        Level.WARNING,
                        "an alert could not be posted to {0}: {1}",
                        shown(),
                        delivered.cause().getMessage());
            }
            next();
        });
    }

    /** Gives up what is on its way and what waits. */
    void abandon() {
        abandoned = true;
        int left = waiting.size() + (busy ? 1 : 0);
        outcomes.failed.add(left);
        LOG.log(Level.WARNING, "{0} alerts were not posted to {1} before the server stopped", left, shown());
    }

    /** Without the path, which often holds a secret. */
    private String shown() {
        URI uri = URI.create(url);
        return uri.getScheme() + "://" + uri.getHost() + (uri.getPort() < 0 ? "" : ":" + uri.getPort());
    }
}
