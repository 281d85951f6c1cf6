package io.sluice.server.playground;

import io.sluice.Limit;
import io.sluice.LimitSyntaxException;
import io.sluice.server.json.StrictJson;
import io.sluice.server.simulate.Simulatable;
import io.sluice.server.simulate.trace.CsvRequestReader;
import io.sluice.server.simulate.trace.InvalidTraceException;
import io.sluice.server.simulate.trace.KeyRequest;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.json.DecodeException;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** The body of {@code POST /v1/simulate}: limits, and either traffic of a shape or a trace in CSV. */
record SimulationRequest(
        List<Limit> limits,
        @Nullable Traffic traffic,
        @Nullable String trace) {
    static final int MOST_LIMITS = 6;

    private static final String EXPECTED =
            "{\"limits\":[\"10/s burst 20\"],\"traffic\":{\"shape\":\"burst\",\"rate\":10,\"seconds\":30,\"size\":30,\"every\":10}}";

    /** @throws IllegalArgumentException if the body is not valid */
    static SimulationRequest parse(Buffer body) {
        StrictJson.require(body.getBytes());
        JsonObject json;
        try {
            json = body.toJsonObject();
        } catch (DecodeException | ClassCastException e) {
            throw new IllegalArgumentException("the body is not a JSON object (expected: " + EXPECTED + ")");
        }
        requireKnown("", json, Set.of("limits", "traffic", "trace"));
        boolean shaped = json.containsKey("traffic");
        if (shaped == json.containsKey("trace")) {
            throw new IllegalArgumentException("(expected: either traffic or trace)");
        }
        List<Limit> limits = limits(json.getValue("limits"));
        return shaped
                ? new SimulationRequest(limits, traffic(json.getValue("traffic")), null)
                : new SimulationRequest(limits, null, text("trace", json.getValue("trace")));
    }

    private static void requireKnown(String path, JsonObject json, Set<String> known) {
        for (String name : json.fieldNames()) {
            if (!known.contains(name)) {
                throw new IllegalArgumentException("unknown field " + path + name + " (expected: one of "
                        + String.join(", ", new TreeSet<>(known)) + ")");
            }
        }
    }

    private static List<Limit> limits(@Nullable Object value) {
        if (!(value instanceof JsonArray array) || array.isEmpty() || array.size() > MOST_LIMITS) {
            throw new IllegalArgumentException("limits (expected: a list of 1 to " + MOST_LIMITS + " limits)");
        }
        List<Limit> limits = new ArrayList<>();
        for (int i = 0; i < array.size(); i++) {
            String name = "limits[" + i + "]";
            try {
                limits.add(Simulatable.require(Limit.parse(text(name, array.getValue(i)))));
            } catch (LimitSyntaxException e) {
                throw new IllegalArgumentException(name + ": " + e.getMessage(), e);
            }
        }
        return limits;
    }

    private static Traffic traffic(@Nullable Object value) {
        if (!(value instanceof JsonObject json)) {
            throw new IllegalArgumentException("traffic (expected: an object with shape, rate and seconds)");
        }
        requireKnown("traffic.", json, Set.of("shape", "rate", "seconds", "size", "every", "keys"));
        return new Traffic(
                Shape.of(text("traffic.shape", json.getValue("shape"))),
                number(json, "rate", 10, 100_000),
                number(json, "seconds", 30, 86_400),
                number(json, "size", 20, 100_000),
                number(json, "every", 10, 86_400),
                number(json, "keys", 1, 100));
    }

    private static long number(JsonObject json, String name, long usual, long most) {
        Object value = json.getValue(name);
        if (value == null) {
            return usual;
        }
        if (value instanceof Integer whole && whole >= 1 && whole <= most) {
            return whole;
        }
        throw new IllegalArgumentException(
                "traffic." + name + ": " + value + " (expected: a whole number from 1 to " + most + ")");
    }

    private static String text(String name, @Nullable Object value) {
        if (value instanceof String text) {
            return text;
        }
        throw new IllegalArgumentException(name + ": " + value + " (expected: a text)");
    }

    /**
     * The requests to decide.
     *
     * @throws InvalidTraceException if the trace is not valid, or too long
     */
    List<KeyRequest> requests() {
        if (traffic != null) {
            return traffic.requests();
        }
        byte[] csv = (trace == null ? "" : trace).getBytes(StandardCharsets.UTF_8);
        CsvRequestReader reader = new CsvRequestReader("trace", new ByteArrayInputStream(csv));
        reader.begin();
        List<KeyRequest> requests = new ArrayList<>();
        for (KeyRequest next = reader.next(); next != null; next = reader.next()) {
            if (requests.size() >= Traffic.MOST_REQUESTS) {
                throw new InvalidTraceException("trace: more than " + Traffic.MOST_REQUESTS
                        + " requests (expected: a shorter trace; ./sluice simulate takes any length)");
            }
            requests.add(next);
        }
        return requests;
    }
}
