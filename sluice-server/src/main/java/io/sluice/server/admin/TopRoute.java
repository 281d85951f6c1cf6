package io.sluice.server.admin;

import io.sluice.policy.PolicyEngine;
import io.sluice.policy.TopKey;
import io.sluice.policy.TopKeys;
import io.sluice.server.http.Route;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.List;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;

/** {@code GET /v1/top}: the keys with the most requests and the most denials, of all policies or of one. */
final class TopRoute implements Route {
    private static final int MAX_KEYS = 1000;

    private final Vertx vertx;
    private final PolicyEngine engine;

    TopRoute(Vertx vertx, PolicyEngine engine) {
        this.vertx = vertx;
        this.engine = engine;
    }

    @Override
    public void handle(HttpServerRequest request) {
        vertx.executeBlocking(() -> top(number(request.getParam("n")), request.getParam("policy")), false)
                .onSuccess(top -> AdminJson.answer(request, top))
                .onFailure(failure -> FailureResponses.answer(request, failure));
    }

    private static int number(@Nullable String text) {
        if (text == null) {
            return 10;
        }
        if (text.matches("\\d{1,4}")) {
            int n = Integer.parseInt(text);
            if (n >= 1 && n <= MAX_KEYS) {
                return n;
            }
        }
        throw new IllegalArgumentException("n: " + text + " (expected: 1 to " + MAX_KEYS + ")");
    }

    private JsonObject top(int n, @Nullable String policy) {
        TopKeys keys = engine.topKeys();
        return new JsonObject()
                .put("busiest", array(of(policy, n, keys::busiest)))
                .put("denied", array(of(policy, n, keys::denied)))
                .put("error", keys.error());
    }

    /** The keys of one policy may all be behind those of others, so all are read. */
    private static List<TopKey> of(@Nullable String policy, int n, IntFunction<List<TopKey>> keys) {
        return policy == null
                ? keys.apply(n)
                : keys.apply(Integer.MAX_VALUE).stream()
                        .filter(key -> key.policy().equals(policy))
                        .limit(n)
                        .toList();
    }

    /** A long key is known only by its digest. */
    private JsonArray array(List<TopKey> tops) {
        JsonArray array = new JsonArray();
        for (TopKey top : tops) {
            JsonObject json = new JsonObject().put("policy", top.policy());
            engine.key(top)
                    .ifPresentOrElse(
                            key -> json.put("key", AdminJson.key(key)),
                            () -> json.putNull("key").put("digest", top.key()));
            array.add(json.put("count", top.count()).put("error", top.error()));
        }
        return array;
    }
}
