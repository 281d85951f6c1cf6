package io.sluice.server.admin;

import io.sluice.policy.KeyStatus;
import io.sluice.policy.LimitOverride;
import io.sluice.policy.PolicyEngine;
import io.sluice.policy.TemporaryOverride;
import io.sluice.server.http.RequestBodies;
import io.sluice.server.http.Route;
import io.sluice.server.recording.RecordedRequest;
import io.sluice.server.recording.Recording;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** {@code POST /v1/key}: the state of one key of a policy, its temporary override, and its latest requests. */
final class KeyRoute implements Route {
    private static final int MAX_REQUESTS = 100;

    private final PolicyEngine engine;
    private final Recording recording;

    KeyRoute(PolicyEngine engine, Recording recording) {
        this.engine = engine;
        this.recording = recording;
    }

    @Override
    public void handle(HttpServerRequest request) {
        RequestBodies.read(request, body -> {
            try {
                answer(request, body);
            } catch (IllegalArgumentException | NoSuchElementException e) {
                FailureResponses.answer(request, e);
            }
        });
    }

    private void answer(HttpServerRequest request, Buffer body) {
        JsonFields fields = JsonFields.of(body, "policy", "key");
        String policy = fields.text("policy");
        Map<String, String> key = Map.copyOf(engine.displayKey(policy, fields.texts("key")));
        Context context = Vertx.currentContext();
        Future.fromCompletionStage(engine.inspect(policy, key), context)
                .compose(buckets -> context.executeBlocking(() -> json(policy, key, buckets), false))
                .onSuccess(json -> AdminJson.answer(request, json))
                .onFailure(failure -> FailureResponses.answer(request, failure));
    }

    private JsonObject json(String policy, Map<String, String> key, List<KeyStatus> statuses) {
        JsonArray buckets = new JsonArray();
        statuses.forEach(status -> buckets.add(AdminJson.bucket(status)));
        Optional<TemporaryOverride> temporary = engine.temporaryOverrides().stream()
                .filter(override ->
                        override.policy().equals(policy) && override.key().equals(key))
                .findFirst();
        JsonObject history = history(policy, key);
        return new JsonObject()
                .put("buckets", buckets)
                .put("override", override(policy, key, history.getJsonArray("requests")))
                .put("temporary", temporary.map(OverrideRoutes::json).orElse(null))
                .put("history", history);
    }

    /**
     * The override that the latest request of the key had; if none is recorded, the one that matches the key alone. Null for the
     * policy's own limit.
     */
    private @Nullable String override(String policy, Map<String, String> key, JsonArray requests) {
        Map<String, String> attributes = new HashMap<>(key);
        if (!requests.isEmpty()) {
            requests.getJsonObject(0)
                    .getJsonObject("attributes")
                    .forEach(each -> attributes.put(each.getKey(), (String) each.getValue()));
        }
        return engine.overrideOf(policy, attributes).map(LimitOverride::id).orElse(null);
    }

    private JsonObject history(String policy, Map<String, String> key) {
        Recording.Content content = recording.content();
        List<RecordedRequest> all = content.requests();
        JsonArray requests = new JsonArray();
        int seen = 0;
        for (int i = all.size() - 1; i >= 0; i--) {
            RecordedRequest recorded = all.get(i);
            if (engine.keyOf(policy, recorded.attributes()).filter(key::equals).isPresent()) {
                seen++;
                if (requests.size() < MAX_REQUESTS) {
                    requests.add(new JsonObject()
                            .put("t", recorded.micros() / 1000)
                            .put("permits", recorded.permits())
                            .put("allowed", recorded.allowed())
                            .put("violated", new JsonArray(recorded.violated()))
                            .put("attributes", AdminJson.key(recorded.attributes())));
                }
            }
        }
        return new JsonObject()
                .put("from", all.isEmpty() ? null : all.get(0).micros() / 1000)
                .put("to", all.isEmpty() ? null : all.get(all.size() - 1).micros() / 1000)
                .put("share_percent", PreviewRoute.percent(content.share()))
                .put("seen", seen)
                .put("requests", requests);
    }
}
