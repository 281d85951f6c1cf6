package io.sluice.server.live;

import io.sluice.TimeSource;
import io.sluice.policy.Policy;
import io.sluice.policy.PolicyEngine;
import io.sluice.server.http.EventStreams;
import io.sluice.server.http.Problems;
import io.sluice.server.http.Routes;
import io.sluice.server.live.LiveFeed.View;
import io.sluice.spi.SharedNotes;
import io.vertx.core.Context;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.security.SecureRandom;
import java.util.EnumMap;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/** {@code GET /v1/live} and {@code GET /v1/live/stream}: the last 15 minutes, and each new tick. */
public final class LiveRoutes implements AutoCloseable {
    private static final int MAX_POLICIES = 10_000;

    /** Maximum number of replicas that are shown although they are gone. */
    private static final int MAX_GONE = 20;

    private final Vertx vertx;
    private final PolicyEngine engine;
    private final BooleanSupplier storeReachable;
    private final LongSupplier edition;
    private final @Nullable SharedNotes notes;
    private final String id;
    private final Map<Scope, EventStreams> streams = new EnumMap<>(Scope.class);
    private final Map<Scope, Answer> answers = new EnumMap<>(Scope.class);
    private volatile @Nullable LiveFeed feed;

    /** The response to viewers who come in the same interval. */
    private record Answer(long now, boolean complete, Buffer body) {}

    /**
     * Creates the routes. They have no data before {@link #start}.
     *
     * @param notes what replicas leave in Redis; null if this is the only replica
     * @param edition the number of the policies in force
     */
    public LiveRoutes(
            Vertx vertx,
            PolicyEngine engine,
            BooleanSupplier storeReachable,
            LongSupplier edition,
            @Nullable SharedNotes notes) {
        this.vertx = vertx;
        this.engine = engine;
        this.storeReachable = storeReachable;
        this.edition = edition;
        this.notes = notes;
        byte[] random = new byte[4];
        new SecureRandom().nextBytes(random);
        id = HexFormat.of().formatHex(random);
        for (Scope scope : Scope.values()) {
            streams.put(
                    scope, new EventStreams(vertx, "retry: 2000\n: ticks follow, every 2 s\n\n", () -> {}, () -> {}));
        }
    }

    public void addTo(Routes routes) {
        routes.read(HttpMethod.GET, "/v1/live", this::get).read(HttpMethod.GET, "/v1/live/stream", this::stream);
    }

    /**
     * Starts to count.
     *
     * @param name the address of this replica, for people
     */
    public void start(String name, String version, TimeSource time) {
        LiveFeed started = new LiveFeed(
                time,
                new TickSource(engine, storeReachable, id, name, version),
                notes == null ? null : new ReplicaNotes(notes),
                scope -> streams(scope).listening() > 0,
                (scope, view) -> streams(scope)
                        .send(
                                "tick",
                                new JsonObject()
                                        .put("ticks", ticks(view))
                                        .put("state", state(view))
                                        .encode()));
        feed = started;
        started.start();
    }

    private EventStreams streams(Scope scope) {
        return Objects.requireNonNull(streams.get(scope));
    }

    private @Nullable Scope scope(HttpServerRequest request) {
        try {
            return Scope.of(request.getParam("scope"));
        } catch (IllegalArgumentException e) {
            Problems.answer(request, 400, String.valueOf(e.getMessage()));
            return null;
        }
    }

    private void stream(HttpServerRequest request) {
        Scope scope = scope(request);
        if (scope != null) {
            streams(scope).open(request);
        }
    }

    private void get(HttpServerRequest request) {
        Scope scope = scope(request);
        LiveFeed running = feed;
        if (scope == null) {
            return;
        } else if (running == null) {
            Problems.answer(request, 503, "the server is starting");
            return;
        }
        Context context = vertx.getOrCreateContext();
        running.view(scope)
                .thenCompose(view ->
                        context.executeBlocking(() -> body(scope, view), false).toCompletionStage())
                .whenComplete((body, failure) -> context.runOnContext(unused -> {
                    if (failure == null) {
                        request.response()
                                .putHeader("Content-Type", "application/json")
                                .end(body);
                    } else {
                        Problems.failed(request, failure);
                    }
                }));
    }

    private Buffer body(Scope scope, View view) {
        synchronized (answers) {
            Answer known = answers.get(scope);
            if (known == null || known.now != view.now() || known.complete != view.complete()) {
                known = new Answer(view.now(), view.complete(), write(scope, view));
                answers.put(scope, known);
            }
            return known.body;
        }
    }

    private Buffer write(Scope scope, View view) {
        boolean all = scope == Scope.ALL && view.complete();
        return new JsonObject()
                .put("scope", all ? "all" : "replica")
                .put("interval_ms", Tick.MILLIS)
                .put("replica", id)
                .put("ticks", ticks(view))
                .put("state", state(view).put("policies", policies()))
                .toBuffer();
    }

    private static JsonArray ticks(View view) {
        JsonArray ticks = new JsonArray();
        view.ticks().forEach(tick -> ticks.add(TickJson.shown(tick)));
        return ticks;
    }

    private JsonArray policies() {
        return new JsonArray(engine.policies().policies().stream()
                .limit(MAX_POLICIES)
                .map(Policy::name)
                .toList());
    }

    /** What every event has. It has no names of policies, because there may be thousands: they change with the edition only. */
    private JsonObject state(View view) {
        return new JsonObject()
                .put(
                        "store",
                        new JsonObject()
                                .put("kind", notes == null ? "memory" : "redis")
                                .put("ok", storeReachable.getAsBoolean()))
                .put("alerts", alerts(view.replicas()))
                .put("replicas", replicas(view, view.replicas()))
                .put("gone", replicas(view, view.gone().stream().limit(MAX_GONE).toList()))
                .put("complete", view.complete())
                .put("edition", edition.getAsLong());
    }

    private JsonArray replicas(View view, List<ReplicaTick> some) {
        JsonArray replicas = new JsonArray();
        some.forEach(replica -> replicas.add(new JsonObject()
                .put("id", replica.id())
                .put("name", replica.name())
                .put("here", replica.id().equals(id))
                .put("version", replica.version())
                .put("seen_ms_ago", Math.max(0, view.now() - replica.tick().end()))));
        return replicas;
    }

    /** Each alert once, with the number of replicas where it fires. */
    private static JsonArray alerts(List<ReplicaTick> replicas) {
        Map<String, JsonObject> alerts = new LinkedHashMap<>();
        replicas.forEach(replica -> replica.alerts().forEach(alert -> {
            JsonObject json = alerts.computeIfAbsent(
                    alert.alert(),
                    name -> new JsonObject()
                            .put("alert", name)
                            .put("policy", alert.policy().isEmpty() ? null : alert.policy())
                            .put("condition", alert.condition())
                            .put("since", alert.since())
                            .put("replicas", 0));
            json.put("replicas", json.getInteger("replicas") + 1);
            if (alert.since().compareTo(json.getString("since")) < 0) {
                json.put("since", alert.since());
            }
        }));
        return new JsonArray(List.copyOf(alerts.values()));
    }

    /** Ends the streams. */
    @Override
    public void close() {
        LiveFeed running = feed;
        if (running != null) {
            running.close();
        }
        streams.values().forEach(EventStreams::close);
    }
}
