package io.sluice.spring.client;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;

/** Waits for the turn of a request to an API, and pauses requests to it. Thread-safe. */
interface Pacing {
    /** Lets every request through at once. */
    Pacing NONE = new Pacing() {
        @Override
        public CompletableFuture<Void> acquire(OutgoingRequest request) {
            return CompletableFuture.completedFuture(null);
        }

        @Override
        public void giveBack(OutgoingRequest request) {}

        @Override
        public CompletableFuture<Void> pause(OutgoingRequest request, Duration duration) {
            return CompletableFuture.completedFuture(null);
        }
    };

    /**
     * Takes a permit for a request, as soon as it is free. Fails with {@link io.sluice.RateLimitedException} if it is not free in time.
     * Cancelling the future ends the wait and gives the permit back.
     */
    CompletableFuture<Void> acquire(OutgoingRequest request);

    /** Gives back a permit that was taken for a request that is not sent, as far as that is possible. */
    void giveBack(OutgoingRequest request);

    /** Lets no request with the same key through for a duration, in all processes that share the store. */
    CompletableFuture<Void> pause(OutgoingRequest request, Duration duration);
}
