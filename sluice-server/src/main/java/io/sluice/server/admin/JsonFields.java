package io.sluice.server.admin;

import io.sluice.server.decide.RequestBounds;
import io.sluice.server.json.StrictJson;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.json.DecodeException;
import io.vertx.core.json.Json;
import io.vertx.core.json.JsonObject;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The fields of a JSON object in a request. Throws {@link IllegalArgumentException} if a field is not as expected. */
final class JsonFields {
    private final JsonObject json;

    private JsonFields(JsonObject json) {
        this.json = json;
    }

    /** @param known the allowed fields */
    static JsonFields of(Buffer body, String... known) {
        List<String> names = List.of(known);
        JsonObject json = object(body);
        for (String name : json.fieldNames()) {
            if (!names.contains(name)) {
                throw new IllegalArgumentException(
                        AuditLog.quoted(name) + ": unknown field (expected: " + String.join(", ", names) + ")");
            }
        }
        return new JsonFields(json);
    }

    private static JsonObject object(Buffer body) {
        StrictJson.require(body.getBytes());
        try {
            if (Json.decodeValue(body) instanceof JsonObject object) {
                return object;
            }
        } catch (DecodeException e) {
            // It is empty, or has something after its end.
        }
        throw new IllegalArgumentException("body: not a JSON object (expected: one object)");
    }

    boolean has(String name) {
        return json.containsKey(name);
    }

    long number(String name) {
        Object value = json.getValue(name);
        if (value instanceof Long || value instanceof Integer) {
            return ((Number) value).longValue();
        }
        throw new IllegalArgumentException(name + ": " + value + " (expected: a whole number)");
    }

    String text(String name) {
        return text(name, json.getValue(name));
    }

    /** A field that is an object with string values; empty if it is absent. */
    Map<String, String> texts(String name) {
        Object value = json.getValue(name);
        Map<String, String> texts = new LinkedHashMap<>();
        if (value instanceof JsonObject object) {
            if (object.size() > RequestBounds.ATTRIBUTES) {
                throw new IllegalArgumentException(
                        name + ": " + object.size() + " (expected: at most " + RequestBounds.ATTRIBUTES + ")");
            }
            object.fieldNames()
                    .forEach(each -> texts.put(bounded(name, each), text(name + "." + each, object.getValue(each))));
        } else if (value != null || json.containsKey(name)) {
            throw new IllegalArgumentException(name + ": " + value + " (expected: an object of texts)");
        }
        return texts;
    }

    private static String text(String name, @Nullable Object value) {
        if (value instanceof String text) {
            return bounded(name, text);
        }
        throw new IllegalArgumentException(name + ": " + value + " (expected: a text)");
    }

    private static String bounded(String name, String text) {
        if (text.getBytes(StandardCharsets.UTF_8).length > RequestBounds.ATTRIBUTE) {
            throw new IllegalArgumentException(
                    name + ": too long (expected: at most " + RequestBounds.ATTRIBUTE + " bytes)");
        }
        return text;
    }
}
