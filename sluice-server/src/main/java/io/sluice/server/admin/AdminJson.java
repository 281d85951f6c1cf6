package io.sluice.server.admin;

import io.sluice.Decision;
import io.sluice.Limit;
import io.sluice.Unlimited;
import io.sluice.policy.Counts;
import io.sluice.policy.CurrentWindow;
import io.sluice.policy.KeyStatus;
import io.sluice.policy.LimitOverride;
import io.sluice.policy.Problem;
import io.sluice.policy.TemporaryOverride;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.math.BigDecimal;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** The JSON of the admin API. */
final class AdminJson {
    private AdminJson() {}

    static void answer(HttpServerRequest request, JsonObject json) {
        request.response().putHeader("Content-Type", "application/json").end(json.toBuffer());
    }

    static JsonArray problems(List<Problem> problems) {
        JsonArray array = new JsonArray();
        for (Problem problem : problems) {
            array.add(new JsonObject()
                    .put("line", problem.line())
                    .put("column", problem.column())
                    .put("severity", problem.severity().name().toLowerCase(Locale.ROOT))
                    .put("message", problem.message()));
        }
        return array;
    }

    /** A bucket, in the format of a result of a check. An unlimited bucket has 0 remaining. */
    static JsonObject bucket(KeyStatus bucket) {
        LimitOverride override = bucket.override();
        Decision state = bucket.state();
        boolean limited = !(bucket.limit() instanceof Unlimited);
        JsonObject json = new JsonObject().put("policy", bucket.policy().name());
        if (override != null) {
            json.put("override", override.id());
        }
        json.put("key", key(bucket.key()))
                .put("limit", bucket.limit().toString())
                .put("mode", bucket.policy().mode().name().toLowerCase(Locale.ROOT))
                .put("allowed", state.allowed())
                .put("remaining", limited ? state.remaining() : 0)
                .put("retry_after_us", state.never() ? -1 : state.retryAfterMicros())
                .put("delay_us", state.delayMicros())
                .put("reset_after_us", state.resetAfterMicros());
        if (state.debt() > 0) {
            json.put("debt", state.debt());
        }
        BigDecimal factor = bucket.factor();
        if (factor != null) {
            json.put("factor", factor.doubleValue());
        }
        CurrentWindow window = bucket.window();
        if (window != null) {
            json.put("window", new JsonObject().put("begin", window.beginText()).put("end", window.endText()));
        }
        TemporaryOverride temporary = bucket.temporary();
        if (temporary != null) {
            Limit otherwise = override == null ? bucket.policy().limit() : override.limit();
            json.put("temporary", OverrideRoutes.json(temporary).put("instead_of", otherwise.toString()));
        }
        return state.degraded() ? json.put("degraded", true) : json;
    }

    static JsonObject key(Map<String, String> key) {
        JsonObject json = new JsonObject();
        key.forEach(json::put);
        return json;
    }

    static JsonObject counts(Counts counts) {
        return new JsonObject()
                .put("allowed", counts.allowed())
                .put("denied", counts.denied())
                .put("shadow_denied", counts.shadowDenied())
                .put("degraded", counts.degraded());
    }
}
