package io.sluice.spring.client;

import io.sluice.RateLimitedException;
import io.sluice.RateLimiter;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** Paces by a limiter. */
record LimitPacing(RateLimiter limiter, ClientKey key, Duration maxWait) implements Pacing {

    @Override
    public CompletableFuture<Void> acquire(OutgoingRequest request) {
        String value = key.of(request);
        CompletableFuture<Boolean> taken =
                limiter.tryAcquireAsync(value, maxWait).toCompletableFuture();
        CompletableFuture<Void> result = taken.thenCompose(yes -> yes ? done() : denied(value));
        // A stage does not cancel the one before it.
        result.whenComplete((done, failure) -> {
            if (result.isCancelled()) {
                taken.cancel(true);
            }
        });
        return result;
    }

    private static CompletionStage<Void> done() {
        return CompletableFuture.completedFuture(null);
    }

    private CompletionStage<Void> denied(String value) {
        return limiter.peekAsync(value, 1).thenAccept(decision -> {
            throw new RateLimitedException(limiter.name(), value, 1, decision);
        });
    }

    @Override
    public CompletableFuture<Void> pause(OutgoingRequest request, Duration duration) {
        return limiter.pauseAsync(key.of(request), duration).toCompletableFuture();
    }
}
