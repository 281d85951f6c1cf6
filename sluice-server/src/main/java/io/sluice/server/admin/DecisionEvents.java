package io.sluice.server.admin;

import io.sluice.policy.Counts;
import io.sluice.policy.DecisionCounts;
import io.sluice.policy.Policy;
import io.sluice.policy.PolicyEngine;
import io.sluice.server.http.EventStreams;
import io.sluice.server.http.Route;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.json.JsonObject;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Set;
import java.util.TreeSet;

/** {@code GET /v1/events}: counts of decisions by policy, once a second, as server-sent events. */
final class DecisionEvents implements Route, AutoCloseable {
    private final Vertx vertx;
    private final PolicyEngine engine;
    private final long intervalMillis;
    private final EventStreams streams;

    /** One timer serves all listeners. There is no timer while there are no listeners. */
    private long timer;

    private DecisionCounts previous;

    DecisionEvents(Vertx vertx, PolicyEngine engine) {
        this(vertx, engine, 1000);
    }

    DecisionEvents(Vertx vertx, PolicyEngine engine, long intervalMillis) {
        this.vertx = vertx;
        this.engine = engine;
        this.intervalMillis = intervalMillis;
        this.previous = engine.counts();
        streams =
                new EventStreams(vertx, "retry: 1000\n: decisions follow, once a second\n\n", this::start, this::stop);
    }

    @Override
    public void handle(HttpServerRequest request) {
        streams.open(request);
    }

    int listening() {
        return streams.listening();
    }

    private void start() {
        synchronized (this) {
            previous = engine.counts();
        }
        timer = vertx.setPeriodic(intervalMillis, tick -> streams.send("decisions", next().encode()));
    }

    private void stop() {
        vertx.cancelTimer(timer);
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

    @Override
    public void close() {
        streams.close();
    }
}
