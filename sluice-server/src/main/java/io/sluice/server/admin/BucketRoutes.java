package io.sluice.server.admin;

import io.sluice.policy.KeyStatus;
import io.sluice.policy.PolicyEngine;
import io.sluice.server.http.Bodies;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/** {@code POST /v1/inspect} and {@code POST /v1/reset}. Nothing blocks: the engine answers later. */
final class BucketRoutes {
    /**
     * Which buckets.
     *
     * @param policy null for all that a request with the attributes would be charged on
     */
    private record Query(@Nullable String policy, Map<String, String> values) {
        static Query of(Buffer body) {
            Fields fields = Fields.of(body, "attributes", "policy", "key");
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

    private final PolicyEngine engine;
    private final Audit audit;

    BucketRoutes(PolicyEngine engine, Audit audit) {
        this.engine = engine;
        this.audit = audit;
    }

    void inspect(HttpServerRequest request) {
        Bodies.read(request, body -> {
            try {
                Query query = Query.of(body);
                String policy = query.policy;
                later(policy == null ? engine.inspect(query.values) : engine.inspect(policy, query.values))
                        .onSuccess(found -> answer(request, "buckets", found))
                        .onFailure(failure -> Failures.answer(request, failure));
            } catch (IllegalArgumentException | NoSuchElementException e) {
                Failures.answer(request, e);
            }
        });
    }

    void reset(HttpServerRequest request) {
        Bodies.read(request, body -> {
            try {
                reset(request, Query.of(body));
            } catch (IllegalArgumentException e) {
                failed(request, "reset", e);
            }
        });
    }

    private void reset(HttpServerRequest request, Query query) {
        String what = "reset " + query;
        String policy = query.policy;
        try {
            later(policy == null ? engine.reset(query.values) : engine.reset(policy, query.values))
                    .onSuccess(found -> {
                        audit.done(request, what);
                        answer(request, "reset", found);
                    })
                    .onFailure(failure -> failed(request, what, failure));
        } catch (IllegalArgumentException | NoSuchElementException e) {
            failed(request, what, e);
        }
    }

    private void failed(HttpServerRequest request, String what, Throwable failure) {
        Failures.Refusal refusal = Failures.answer(request, failure);
        audit.failed(request, what, refusal.status(), refusal.detail());
    }

    private static Future<List<KeyStatus>> later(CompletionStage<List<KeyStatus>> stage) {
        return Future.fromCompletionStage(stage, Vertx.currentContext());
    }

    private static void answer(HttpServerRequest request, String name, List<KeyStatus> buckets) {
        JsonArray array = new JsonArray();
        buckets.forEach(bucket -> array.add(AdminJson.bucket(bucket)));
        AdminJson.answer(request, new JsonObject().put(name, array));
    }
}
