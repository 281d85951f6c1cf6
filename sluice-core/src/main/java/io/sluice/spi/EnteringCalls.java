package io.sluice.spi;

import io.sluice.Permit;
import io.sluice.RateLimiter;
import io.sluice.exact.Exact;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/**
 * The calls of a limiter that wait for a permit to hold: {@code enter}, and {@code tryEnter} with a timeout, blocking and
 * asynchronous. The store supplies how to wait. Thread-safe.
 */
public final class EnteringCalls {
    private final RateLimiter limiter;
    private final EnterStarter starter;
    private final Awaited<Optional<Permit>> awaited;

    /** Starts a wait for a permit. The store implements it. */
    public interface EnterStarter {
        /**
         * Starts to wait for a permit of a key.
         *
         * @param timeoutMicros the maximum wait
         * @return a permit that may be used, or empty. Cancelling the future gives the permit back.
         */
        CompletableFuture<Optional<Permit>> start(String key, long timeoutMicros);
    }

    /** @param limiter the limiter, for error messages and its executor */
    public EnteringCalls(RateLimiter limiter, EnterStarter starter) {
        this.limiter = limiter;
        this.starter = starter;
        this.awaited = new Awaited<>(limiter, permit -> permit.ifPresent(EnteringCalls::undo));
    }

    private static void undo(Permit permit) {
        if (permit instanceof EnteredPermit entered) {
            entered.undo();
        } else {
            permit.closeAsync();
        }
    }

    /** Implements {@link RateLimiter#enter}. */
    public Permit enter(String key) throws InterruptedException {
        return require(awaited.await(key, () -> starter.start(key, Exact.MAX_MICROS)), key);
    }

    /** Implements {@link RateLimiter#tryEnter(String, Duration)}. */
    public Optional<Permit> tryEnter(String key, Duration timeout) throws InterruptedException {
        return awaited.await(key, () -> starter.start(key, Exact.microsUp("timeout", timeout)));
    }

    /** Implements {@link RateLimiter#enterAsync}. */
    public CompletionStage<Permit> enterAsync(String key) {
        return awaited.stage(() -> starter.start(key, Exact.MAX_MICROS), permit -> require(permit, key));
    }

    /** Implements {@link RateLimiter#tryEnterAsync(String, Duration)}. */
    public CompletionStage<Optional<Permit>> tryEnterAsync(String key, Duration timeout) {
        return awaited.stage(() -> starter.start(key, Exact.microsUp("timeout", timeout)), permit -> permit);
    }

    /** Without a timeout, a request is refused only if the limits can never give a permit. */
    private Permit require(Optional<Permit> permit, String key) {
        return permit.orElseThrow(() -> new IllegalArgumentException("limiter \"" + limiter.name() + "\", key \"" + key
                + "\": a permit can never be had (expected: limits that allow one, not " + limiter.limits() + ")"));
    }
}
