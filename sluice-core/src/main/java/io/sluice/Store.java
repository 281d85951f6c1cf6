package io.sluice;

import java.util.List;
import java.util.concurrent.CompletionStage;

/**
 * Keeps the state of limiters and decides. A store is thread-safe and meant to live as long as the process.
 *
 * @see io.sluice.memory.MemoryStore
 */
public interface Store extends AutoCloseable {
    /**
     * The limiter of that name, made if it is new.
     *
     * @param limit the limit that it enforces
     * @param more further limits on each key, decided together with the first
     * @throws IllegalStateException if a limiter of that name exists with other limits; {@link RateLimiter#update}
     *     changes them
     */
    RateLimiter limiter(String name, Limit limit, Limit... more);

    /**
     * The limiter of that name, made if it is new.
     *
     * @param options what it does without the store; of no meaning to a store that is always there
     * @throws IllegalStateException as above
     */
    default RateLimiter limiter(String name, LimiterOptions options, Limit limit, Limit... more) {
        return limiter(name, limit, more);
    }

    /**
     * The call limiter of that name, made if it is new: its limits come with the calls.
     *
     * @throws IllegalStateException if there is a limiter of that name
     */
    CallLimiter callLimiter(String name);

    /**
     * The call limiter of that name, made if it is new.
     *
     * @param options what it does without the store; of no meaning to a store that is always there
     * @throws IllegalStateException as above
     */
    default CallLimiter callLimiter(String name, LimiterOptions options) {
        return callLimiter(name);
    }

    /**
     * Decides charges together: all are taken, or none.
     *
     * <p>A denied request takes nothing anywhere; only the limits that themselves denied it start their lockout. Charges
     * of one limiter on one key are decided as their sum.
     *
     * @throws IllegalArgumentException if a charge is of another store's limiter, or two charges on one key carry different
     *     limits
     */
    Decisions decide(List<Charge> charges);

    /** {@link #decide} without blocking. */
    CompletionStage<Decisions> decideAsync(List<Charge> charges);

    /** Fails all waiters, of every limiter. What is decided at once still works on a store that needs no connection. */
    @Override
    void close();
}
