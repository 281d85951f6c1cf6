package io.sluice.server.live;

import io.sluice.policy.Counts;
import io.sluice.server.live.ReplicaTick.FiringAlert;
import io.vertx.core.json.DecodeException;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Ticks as JSON: for the dashboard, and as the notes that replicas leave in Redis. */
final class TickJson {
    private TickJson() {}

    /** A tick for the dashboard. */
    static JsonObject shown(Tick tick) {
        JsonObject latency = tick.latencies().isEmpty()
                ? null
                : new JsonObject()
                        .put("p50", Latencies.percentileMicros(tick.latencies(), 50))
                        .put("p99", Latencies.percentileMicros(tick.latencies(), 99));
        return new JsonObject()
                .put("t", tick.end())
                .put("replicas", tick.replicas())
                .put("total", counts(tick.total()))
                .put("policies", policies(tick))
                .put("latency_us", latency)
                .put("store_ok", tick.storeReachable());
    }

    private static JsonObject policies(Tick tick) {
        JsonObject policies = new JsonObject();
        tick.policies().forEach((name, counts) -> policies.put(name, counts(counts)));
        return policies;
    }

    private static JsonArray counts(Counts counts) {
        return JsonArray.of(counts.allowed(), counts.denied(), counts.shadowDenied(), counts.degraded());
    }

    /** The note of a replica. */
    static String note(ReplicaTick replica) {
        Tick tick = replica.tick();
        JsonObject latencies = new JsonObject();
        tick.latencies().forEach((bucket, count) -> latencies.put(bucket.toString(), count));
        JsonArray alerts = new JsonArray();
        replica.alerts()
                .forEach(alert ->
                        alerts.add(JsonArray.of(alert.alert(), alert.policy(), alert.condition(), alert.since())));
        return new JsonObject()
                .put("i", replica.id())
                .put("n", replica.name())
                .put("v", replica.version())
                .put("e", tick.end())
                .put("t", counts(tick.total()))
                .put("p", policies(tick))
                .put("l", latencies)
                .put("s", tick.storeReachable())
                .put("a", alerts)
                .encode();
    }

    /** Reads a note. Null if it is from another version of the program, or broken. */
    static @Nullable ReplicaTick parse(String note) {
        try {
            JsonObject json = new JsonObject(note);
            Map<String, Counts> policies = new TreeMap<>();
            for (Map.Entry<String, Object> each : json.getJsonObject("p")) {
                policies.put(each.getKey(), counts((JsonArray) each.getValue()));
            }
            SortedMap<Integer, Long> latencies = new TreeMap<>();
            for (Map.Entry<String, Object> each : json.getJsonObject("l")) {
                latencies.put(Integer.valueOf(each.getKey()), ((Number) each.getValue()).longValue());
            }
            List<FiringAlert> alerts = new ArrayList<>();
            for (Object each : json.getJsonArray("a")) {
                JsonArray alert = (JsonArray) each;
                alerts.add(new FiringAlert(
                        alert.getString(0), alert.getString(1), alert.getString(2), alert.getString(3)));
            }
            return new ReplicaTick(
                    json.getString("i"),
                    json.getString("n"),
                    json.getString("v"),
                    alerts,
                    Tick.of(
                            json.getLong("e"),
                            counts(json.getJsonArray("t")),
                            policies,
                            latencies,
                            json.getBoolean("s")));
        } catch (DecodeException
                | ClassCastException
                | NullPointerException
                | IndexOutOfBoundsException
                | NumberFormatException e) {
            return null;
        }
    }

    private static Counts counts(JsonArray counts) {
        return new Counts(counts.getLong(0), counts.getLong(1), counts.getLong(2), counts.getLong(3));
    }
}
