package io.sluice.spring.client;

import io.sluice.policy.PolicyEngine;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletableFuture;

/** Paces by a policy, with the attributes {@code client}, {@code host}, {@code path} and {@code method}. */
record PolicyPacing(PolicyEngine engine, String policy, String client, Duration maxWait) implements Pacing {

    @Override
    public CompletableFuture<Void> acquire(OutgoingRequest request) {
        return engine.acquireAsync(policy, attributes(request), 1, maxWait).toCompletableFuture();
    }

    /** The engine cannot undo a decision that is complete. */
    @Override
    public void giveBack(OutgoingRequest request) {}

    @Override
    public CompletableFuture<Void> pause(OutgoingRequest request, Duration duration) {
        return engine.pauseAsync(policy, attributes(request), duration).toCompletableFuture();
    }

    private Map<String, String> attributes(OutgoingRequest request) {
        return Map.of("client", client, "host", request.host(), "path", request.path(), "method", request.method());
    }
}
