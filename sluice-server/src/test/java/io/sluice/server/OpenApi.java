package io.sluice.server;

import io.vertx.core.json.Json;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.net.http.HttpResponse;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.snakeyaml.engine.v2.api.Load;
import org.snakeyaml.engine.v2.api.LoadSettings;

/** Checks responses against an OpenAPI document. Supports the features that our document uses. */
public final class OpenApi {
    private final Map<?, ?> root;

    private OpenApi(Map<?, ?> root) {
        this.root = root;
    }

    public static OpenApi parse(String yaml) {
        return new OpenApi((Map<?, ?>) new Load(LoadSettings.builder().build()).loadFromString(yaml));
    }

    public Map<?, ?> map(String... path) {
        return (Map<?, ?>) at(path);
    }

    /** The node at a path, with references resolved. */
    public Object at(String... path) {
        Object found = root;
        for (String name : path) {
            found = followed(((Map<?, ?>) found).get(name));
            if (found == null) {
                throw new AssertionError("nothing at " + name + " of " + String.join(" ", path));
            }
        }
        return found;
    }

    private @Nullable Object followed(@Nullable Object node) {
        if (node instanceof Map<?, ?> map && map.get("$ref") instanceof String reference) {
            return at(reference.substring(2).split("/", -1));
        }
        return node;
    }

    public List<String> brokenReferences() {
        List<String> broken = new ArrayList<>();
        walk(root, broken);
        return broken;
    }

    private void walk(@Nullable Object node, List<String> broken) {
        if (node instanceof Map<?, ?> map) {
            if (map.get("$ref") instanceof String reference) {
                try {
                    followed(map);
                } catch (AssertionError e) {
                    broken.add(reference);
                }
            }
            map.values().forEach(value -> walk(value, broken));
        } else if (node instanceof List<?> list) {
            list.forEach(value -> walk(value, broken));
        }
    }

    /** The differences between a response and the document. */
    public List<String> misfits(String method, String uri, HttpResponse<String> response) {
        String path = uri.contains("?") ? uri.substring(0, uri.indexOf('?')) : uri;
        Map<?, ?> responses = map("paths", path, method, "responses");
        String status = Integer.toString(response.statusCode());
        Object documented = followed(
                responses.containsKey(status) ? responses.get(status) : responses.get(status.charAt(0) + "XX"));
        if (documented == null) {
            return List.of("status " + status + " is not documented");
        }
        @Nullable Object content = ((Map<?, ?>) documented).get("content");
        if (content == null) {
            return response.body().isEmpty() ? List.of() : List.of("a body that is not documented");
        }
        String type = response.headers().firstValue("Content-Type").orElse("").split(";", 2)[0];
        @Nullable Object media = ((Map<?, ?>) content).get(type);
        if (media == null) {
            return List.of("Content-Type " + type + " is not documented");
        }
        List<String> misfits = new ArrayList<>();
        Object value = type.endsWith("json") ? Json.decodeValue(response.body()) : response.body();
        check("$", value, ((Map<?, ?>) media).get("schema"), misfits);
        return misfits;
    }

    /** The differences between a JSON text and a schema. */
    public List<String> misfits(String schema, String json) {
        List<String> misfits = new ArrayList<>();
        check("$", Json.decodeValue(json), at("components", "schemas", schema), misfits);
        return misfits;
    }

    private void check(String where, @Nullable Object value, @Nullable Object unfollowed, List<String> misfits) {
        Map<?, ?> schema = (Map<?, ?>) followed(unfollowed);
        if (schema == null) {
            return;
        }
        if (schema.get("anyOf") instanceof List<?> several) {
            if (several.stream().noneMatch(each -> fits(value, each))) {
                misfits.add(where + ": " + value + " (expected: any of " + several + ")");
            }
            return;
        }
        Object type = schema.get("type");
        List<?> types = type instanceof List<?> several ? several : type == null ? List.of() : List.of(type);
        if (!types.isEmpty() && types.stream().noneMatch(each -> is(value, String.valueOf(each)))) {
            misfits.add(where + ": " + value + " (expected: " + type + ")");
            return;
        }
        if (schema.get("enum") instanceof List<?> allowed && !allowed.contains(value)) {
            misfits.add(where + ": " + value + " (expected: one of " + allowed + ")");
        }
        if (schema.get("minimum") instanceof Number least
                && value instanceof Number number
                && number.longValue() < least.longValue()) {
            misfits.add(where + ": " + value + " (expected: at least " + least + ")");
        }
        if (value instanceof JsonArray array) {
            for (int i = 0; i < array.size(); i++) {
                check(where + "[" + i + "]", array.getValue(i), schema.get("items"), misfits);
            }
        } else if (value instanceof JsonObject object) {
            members(where, object, schema, misfits);
        }
    }

    private boolean fits(@Nullable Object value, @Nullable Object schema) {
        List<String> misfits = new ArrayList<>();
        check("$", value, schema, misfits);
        return misfits.isEmpty();
    }

    private void members(String where, JsonObject object, Map<?, ?> schema, List<String> misfits) {
        if (schema.get("required") instanceof List<?> required) {
            required.stream()
                    .filter(name -> !object.containsKey(String.valueOf(name)))
                    .forEach(name -> misfits.add(where + ": no " + name));
        }
        Map<?, ?> properties = schema.get("properties") instanceof Map<?, ?> some ? some : Map.of();
        Object additional = schema.get("additionalProperties");
        for (String name : object.fieldNames()) {
            if (properties.containsKey(name)) {
                check(where + "." + name, object.getValue(name), properties.get(name), misfits);
            } else if (Boolean.FALSE.equals(additional)) {
                misfits.add(where + "." + name + ": unknown");
            } else if (additional instanceof Map<?, ?>) {
                check(where + "." + name, object.getValue(name), additional, misfits);
            }
        }
    }

    private static boolean is(@Nullable Object value, String type) {
        return switch (type) {
            case "object" -> value instanceof JsonObject;
            case "array" -> value instanceof JsonArray;
            case "string" -> value instanceof String;
            case "boolean" -> value instanceof Boolean;
            case "integer" -> value instanceof Integer || value instanceof Long;
            case "null" -> value == null;
            default -> throw new AssertionError("type " + type);
        };
    }
}
