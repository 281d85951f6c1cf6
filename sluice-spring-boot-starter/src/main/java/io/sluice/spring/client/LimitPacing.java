package io.sluice.spring.client;

import io.sluice.RateLimitedException;
import io.sluice.RateLimiter;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;

/** Paces by a limiter. */
record LimitPacing(RateLimiter limiter, ClientKey key, Duration maxWait) implements Pacing {

    @Override
    public CompletableFuture<Void> acquire(OutgoingRequest request) {
        String value = key.of(request);
        CompletableFuture<Boolean> taken =
                limiter.tryAcquireAsync(value, maxWait).toCompletableFuture();
        CompletableFuture<Void> result = new CompletableFuture<>();
        result.whenComplete((done, failure) -> {
            if (result.isCancelled()) {
                taken.cancel(true);
            }
        });
        taken.whenComplete((yes, failure) -> {
            if (failure != null) {
                result.completeExceptionally(failure);
            } else if (!yes) {
                deny(value, result);
            } else if (!result.complete(null)) {
                // The caller cancelled at the moment at which the permit was taken.
                limiter.refundAsync(value);
            }
        });
        return result;
    }

    private void deny(String value, CompletableFuture<Void> result) {
        limiter.peekAsync(value, 1)
                .whenComplete((decision, failure) -> result.completeExceptionally(
                        failure == null ? new RateLimitedException(limiter.name(), value, 1, decision) : failure));
    }

    @Override
    public void giveBack(OutgoingRequest request) {
        limiter.refundAsync(key.of(request));
    }

    @Override
    public CompletableFuture<Void> pause(OutgoingRequest request, Duration duration) {
        return limiter.pauseAsync(key.of(request), duration).toCompletableFuture();
    }
}
