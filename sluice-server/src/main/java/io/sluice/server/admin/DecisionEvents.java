package io.sluice.server.admin;

import io.sluice.policy.Counts;
import io.sluice.policy.DecisionCounts;
import io.sluice.policy.Policy;
import io.sluice.policy.PolicyEngine;
import io.sluice.server.http.Problems;
import io.sluice.server.http.Route;
import io.vertx.core.Context;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpVersion;
import io.vertx.core.json.JsonObject;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/** {@code GET /v1/events}: counts of decisions by policy, once a second, as server-sent events. */
final class DecisionEvents implements Route, AutoCloseable {
    static final int MAX_LISTENERS = 100;

    private static final Buffer FIRST_LINES = Buffer.buffer("retry: 1000\n: decisions follow, once a second\n\n");

    private final Vertx vertx;
    private final PolicyEngine engine;
    private final long intervalMillis;

    /** One timer serves all listeners. There is no timer while there are no listeners. */
    private final Set<Listener> listeners = new LinkedHashSet<>();

    private long timer;
    private boolean closed;
    private DecisionCounts previous;

    DecisionEvents(Vertx vertx, PolicyEngine engine) {
        this(vertx, engine, 1000);
    }

    DecisionEvents(Vertx vertx, PolicyEngine engine, long intervalMillis) {
        this.vertx = vertx;
        this.engine = engine;
        this.intervalMillis = intervalMillis;
        this.previous = engine.counts();
    }

    @Override
    public void handle(HttpServerRequest request) {
        if (request.method().equals(HttpMethod.HEAD)) {
            request.response().putHeader("Content-Type", "text/event-stream").end();
            return;
        }
        Listener listener = new Listener(request, vertx.getOrCreateContext());
        if (isClosed()) {
            Problems.answer(request, 503, "the server is stopping");
            return;
        }
        if (!add(listener)) {
            Problems.answer(request, 503, "too many listeners (expected: at most " + MAX_LISTENERS + ")");
            return;
        }
        request.response()
                .setChunked(true)
                .putHeader("Content-Type", "text/event-stream")
                .putHeader("Cache-Control", "no-store")
                .exceptionHandler(gone -> remove(listener))
                .closeHandler(gone -> remove(listener))
                .write(FIRST_LINES);
    }

    synchronized int listening() {
        return listeners.size();
    }

    private synchronized boolean isClosed() {
        return closed;
    }

    private synchronized boolean add(Listener listener) {
        if (closed || listeners.size() >= MAX_LISTENERS) {
            return false;
        }
        if (listeners.isEmpty()) {
            previous = engine.counts();
            timer = vertx.setPeriodic(intervalMillis, tick -> sendToAll());
        }
        return listeners.add(listener);
    }

    private synchronized void remove(Listener listener) {
        if (listeners.remove(listener) && listeners.isEmpty()) {
            vertx.cancelTimer(timer);
        }
    }

    private void sendToAll() {
        Buffer event = Buffer.buffer("event: decisions\ndata: " + next().encode() + "\n\n");
        for (Listener listener : all()) {
            listener.context.runOnContext(unused -> send(listener, event));
        }
    }

    private synchronized List<Listener> all() {
        return List.copyOf(listeners);
    }

    private synchronized JsonObject next() {
        DecisionCounts now = engine.counts();
        DecisionCounts recent = now.since(previous);
        previous = now;
        Set<String> names = new TreeSet<>();
        engine.policies().policies().stream().map(Policy::name).forEach(names::add);
        recent.policies().forEach((name, counts) -> {
            if (counts.total() > 0) {
                names.add(name);
            }
        });
        JsonObject policies = new JsonObject();
        names.forEach(name ->
                policies.put(name, AdminJson.counts(recent.policies().getOrDefault(name, Counts.NONE))));
        return new JsonObject()
                .put("time", Instant.now().truncatedTo(ChronoUnit.MILLIS).toString())
                .put("policies", policies)
                .put("total", AdminJson.counts(recent.requests()));
    }

    /** Drops a listener that does not read. */
    private void send(Listener listener, Buffer event) {
        HttpServerRequest request = listener.request;
        if (request.response().ended() || request.response().closed()) {
            return;
        }
        if (request.response().writeQueueFull()) {
            remove(listener);
            if (request.version() == HttpVersion.HTTP_2) {
                request.response().reset();
            } else {
                request.connection().close();
            }
        } else {
            request.response().write(event);
        }
    }

    /** Ends all streams and accepts no more. */
    @Override
    public void close() {
        synchronized (this) {
            closed = true;
        }
        for (Listener listener : all()) {
            remove(listener);
            listener.context.runOnContext(unused -> {
                if (!listener.request.response().ended()
                        && !listener.request.response().closed()) {
                    listener.request.response().end();
                }
            });
        }
    }

    private static final class Listener {
        final HttpServerRequest request;
        final Context context;

        Listener(HttpServerRequest request, Context context) {
            this.request = request;
            this.context = context;
        }
    }
}
