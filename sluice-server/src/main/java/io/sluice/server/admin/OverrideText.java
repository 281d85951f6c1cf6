package io.sluice.server.admin;

import io.sluice.Limit;
import io.sluice.policy.TemporaryOverride;
import io.vertx.core.json.DecodeException;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.lang.System.Logger.Level;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Temporary overrides as the text that is stored. */
final class OverrideText {
    private static final System.Logger LOG = System.getLogger("io.sluice.server");

    private OverrideText() {}

    static String of(List<TemporaryOverride> overrides) {
        JsonArray array = new JsonArray();
        overrides.forEach(override -> array.add(new JsonObject()
                .put("policy", override.policy())
                .put("key", AdminJson.key(override.key()))
                .put("limit", override.limit().toString())
                .put("created", override.created().toString())
                .put("expires", override.expires().toString())
                .put("reason", override.reason())));
        return new JsonObject().put("version", 1).put("overrides", array).encodePrettily();
    }

    /** Reads a text. An entry that cannot be read is left out and logged: the others still hold. */
    static List<TemporaryOverride> parse(String text) {
        List<TemporaryOverride> overrides = new ArrayList<>();
        try {
            for (Object each : new JsonObject(text).getJsonArray("overrides", new JsonArray())) {
                try {
                    overrides.add(parse((JsonObject) each));
                } catch (RuntimeException e) {
                    LOG.log(Level.WARNING, "a temporary override cannot be read and is ignored: {0}", e.toString());
                }
            }
        } catch (DecodeException | ClassCastException e) {
            LOG.log(Level.WARNING, "the temporary overrides cannot be read and are ignored: {0}", e.toString());
        }
        return overrides;
    }

    private static TemporaryOverride parse(JsonObject json) {
        Map<String, String> key = new LinkedHashMap<>();
        json.getJsonObject("key").forEach(part -> key.put(part.getKey(), (String) part.getValue()));
        return new TemporaryOverride(
                json.getString("policy"),
                key,
                Limit.parse(json.getString("limit")),
                Instant.parse(json.getString("created")),
                Instant.parse(json.getString("expires")),
                json.getString("reason"));
    }

    /** Those that have not ended. */
    static List<TemporaryOverride> holding(List<TemporaryOverride> overrides, Instant now) {
        return overrides.stream().filter(override -> !override.isOver(now)).toList();
    }
}
