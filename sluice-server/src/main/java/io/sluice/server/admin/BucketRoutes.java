package io.sluice.server.admin;

import io.sluice.policy.KeyStatus;
import io.sluice.policy.PolicyEngine;
import io.sluice.server.http.RequestBodies;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/** {@code POST /v1/inspect}, {@code POST /v1/reset} and {@code POST /v1/pause}: read, reset and pause buckets. Nothing blocks. */
final class BucketRoutes {
    /**
     * Selects buckets.
     *
     * @param policy null for all buckets that a request with the attributes would charge
     */
    private record Query(@Nullable String policy, Map<String, String> values) {
        static Query of(Buffer body) {
            JsonFields fields = JsonFields.of(body, "attributes", "policy", "key");
            if (fields.has("attributes") == fields.has("policy")) {
                throw new IllegalArgumentException("(expected: either attributes, or policy and key)");
            }
            return fields.has("policy")
                    ? new Query(fields.text("policy"), fields.texts("key"))
                    : new Query(null, fields.texts("attributes"));
        }

        @Override
        public String toString() {
            return (policy == null ? "attributes " : "policy " + policy + " key ") + values;
        }
    }

    private static final Duration MIN_PAUSE = Duration.ofMillis(1);
    private static final Duration MAX_PAUSE = Duration.ofDays(1);

    private final PolicyEngine engine;
    private final AuditLog audit;

    BucketRoutes(PolicyEngine engine, AuditLog audit) {
        this.engine = engine;
        this.audit = audit;
    }

    void inspect(HttpServerRequest request) {
        RequestBodies.read(request, body -> {
            try {
                Query query = Query.of(body);
                String policy = query.policy;
                onEventLoop(policy == null ? engine.inspect(query.values) : engine.inspect(policy, query.values))
                        .onSuccess(found -> answer(request, "buckets", found))
                        .onFailure(failure -> FailureResponses.answer(request, failure));
            } catch (IllegalArgumentException | NoSuchElementException e) {
                FailureResponses.answer(request, e);
            }
        });
    }

    void reset(HttpServerRequest request) {
        RequestBodies.read(request, body -> {
            try {
                reset(request, Query.of(body));
            } catch (IllegalArgumentException e) {
                failed(request, "reset", e);
            }
        });
    }

    private void reset(HttpServerRequest request, Query query) {
        String action = "reset " + query;
        String policy = query.policy;
        try {
            onEventLoop(policy == null ? engine.reset(query.values) : engine.reset(policy, query.values))
                    .onSuccess(found -> {
                        audit.done(request, action);
                        answer(request, "reset", found);
                    })
                    .onFailure(failure -> failed(request, action, failure));
        } catch (IllegalArgumentException | NoSuchElementException e) {
            failed(request, action, e);
        }
    }

    void pause(HttpServerRequest request) {
        RequestBodies.read(request, body -> {
            try {
                JsonFields fields = JsonFields.of(body, "policy", "key", "for");
                Duration duration =
                        TimeText.parse("for", fields.text("for"), MIN_PAUSE, MAX_PAUSE, "1ms to 1d, such as 5m");
                String policy = fields.text("policy");
                Map<String, String> key = fields.texts("key");
                String action = "pause policy " + policy + " key " + key + " for " + fields.text("for");
                onEventLoop(engine.pause(policy, key, duration))
                        .onSuccess(found -> {
                            audit.done(request, action);
                            answer(request, "paused", found);
                        })
                        .onFailure(failure -> failed(request, action, failure));
            } catch (IllegalArgumentException | NoSuchElementException e) {
                failed(request, "pause", e);
            }
        });
    }

    private void failed(HttpServerRequest request, String action, Throwable failure) {
        FailureResponses.Refusal refusal = FailureResponses.answer(request, failure);
        audit.failed(request, action, refusal.status(), refusal.detail());
    }

    private static Future<List<KeyStatus>> onEventLoop(CompletionStage<List<KeyStatus>> stage) {
        return Future.fromCompletionStage(stage, Vertx.currentContext());
    }

    private static void answer(HttpServerRequest request, String name, List<KeyStatus> buckets) {
        JsonArray array = new JsonArray();
        buckets.forEach(bucket -> array.add(AdminJson.bucket(bucket)));
        AdminJson.answer(request, new JsonObject().put(name, array));
    }
}
