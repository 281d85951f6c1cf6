package io.sluice;

import java.util.List;
import java.util.concurrent.CompletionStage;

/**
 * Keeps the state of keys, and decides. A process usually has one store for its whole life. Thread-safe.
 *
 * <pre>{@code
 * RateLimiter perUser = store.limiter("per-user", Limit.parse("600/min"));
 * RateLimiter overall = store.limiter("overall", Limit.parse("10000/s"));
 * store.decide(List.of(perUser.charge(user, 1), overall.charge("", 1))).allowed();
 * }</pre>
 *
 * @see io.sluice.memory.MemoryStore
 */
public interface Store extends AutoCloseable {
    /**
     * Returns the limiter of a name. Creates it if it does not exist.
     *
     * @param limit the limit to enforce
     * @param more further limits. A request must be allowed by all of them, and is charged to all or to none.
     * @throws IllegalStateException if the limiter exists with other limits. {@link RateLimiter#update} changes limits.
     */
    RateLimiter limiter(String name, Limit limit, Limit... more);

    /**
     * Returns the limiter of a name. Creates it if it does not exist.
     *
     * @param options what to do if the store does not answer, which a store in memory ignores, and a listener
     * @throws IllegalStateException if the limiter exists with other limits
     */
    default RateLimiter limiter(String name, LimiterOptions options, Limit limit, Limit... more) {
        RateLimiter limiter = limiter(name, limit, more);
        return options.listener() == LimiterListener.NONE ? limiter : limiter.withListener(options.listener());
    }

    /**
     * Returns a limiter without keys, for one thing that all callers share. It is the {@linkplain #limiter limiter} of that name,
     * for the empty key.
     *
     * <pre>{@code
     * Gate partner = store.gate("partner", Limit.parse("10/s"));
     * partner.acquire();
     * }</pre>
     *
     * @throws IllegalStateException if the limiter exists with other limits
     * @see Gate#of
     */
    default Gate gate(String name, Limit limit, Limit... more) {
        return limiter(name, limit, more).forKey("");
    }

    /** {@link #gate(String, Limit, Limit...)} with options. */
    default Gate gate(String name, LimiterOptions options, Limit limit, Limit... more) {
        return limiter(name, options, limit, more).forKey("");
    }

    /**
     * Returns the call limiter of a name, whose limits come with the calls. Creates it if it does not exist.
     *
     * @throws IllegalStateException if a limiter has that name
     */
    CallLimiter callLimiter(String name);

    /**
     * Returns the call limiter of a name, whose limits come with the calls. Creates it if it does not exist.
     *
     * @param options what to do if the store does not answer, which a store in memory ignores, and a listener
     * @throws IllegalStateException if a limiter has that name
     */
    default CallLimiter callLimiter(String name, LimiterOptions options) {
        CallLimiter limiter = callLimiter(name);
        return options.listener() == LimiterListener.NONE ? limiter : limiter.withListener(options.listener());
    }

    /**
     * Decides charges together: takes all of them, or none.
     *
     * <p>A denied request takes nothing from any limiter. Only the limits that denied it start their lockout. Several charges on
     * the same limiter and key are decided as their sum.
     *
     * @throws IllegalArgumentException if a charge belongs to a limiter of another store, or if two charges on the same key carry
     *     different limits
     */
    Decisions decide(List<Charge> charges);

    /** {@link #decide} without blocking. */
    CompletionStage<Decisions> decideAsync(List<Charge> charges);

    /** Fails the waiters of all limiters, and closes connections. A store in memory still makes decisions that do not wait. */
    @Override
    void close();
}
