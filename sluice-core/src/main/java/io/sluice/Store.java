package io.sluice;

import java.util.List;
import java.util.concurrent.CompletionStage;

/**
 * Keeps the state of limiters and decides. A store is thread-safe and meant to live as long as the process.
 *
 * @see MemoryStore
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
     * Makes limiters for {@link #enforce}, ahead of it: what is in force stays so, and those that are known already stay as they are.
     * Each is to be {@linkplain #release released} when it is not needed any more.
     *
     * @return the limiters, in the order of the specs
     */
    List<RateLimiter> limiters(List<LimiterSpec> specs);

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
     * Puts these limits in force, all at one moment: limiters that are new are made, those with another limit are updated,
     * and what was used stays used. Where the store knows limits of a higher {@linkplain LimiterOptions#revision()
     * revision}, those stay in force; {@link RateLimiter#limits()} says which are.
     *
     * <p>A decision sees all of them as they were before, or all as they are afterwards.
     *
     * @return the limiters, in the order of the specs
     */
    List<RateLimiter> enforce(List<LimiterSpec> specs);

    /**
     * Says that this process has no more use for limiters that it got by {@link #limiters}, as often as it got them. What they have
     * counted is kept as before, and a limiter that is asked for again goes on with it; but a store that keeps limiters in step with
     * other processes need not do that for these.
     */
    default void release(List<RateLimiter> limiters) {}

    /** The limits of some limiters of this store as of one moment: never some from before an {@link #enforce} and some after. */
    List<List<Limit>> limits(List<RateLimiter> limiters);

    /** The text of that name which all processes on this store share. */
    Publication publication(String name);

    /**
     * Decides charges together: all are taken, or none.
     *
     * <p>A denied request takes nothing anywhere; only the limits that themselves denied it start their lockout. Charges
     * of one limiter on one key are decided as their sum, with the most of them kept; such a sum is in shadow if all of them
     * are.
     *
     * @throws IllegalArgumentException if a charge is of another store's limiter, or two charges on one key carry different
     *     limits
     * @throws LimitChangedException if a charge expects another limit than is in force; then nothing was decided
     */
    Decisions decide(List<Charge> charges);

    /** {@link #decide} without blocking. */
    CompletionStage<Decisions> decideAsync(List<Charge> charges);

    /** Fails all waiters, of every limiter. What is decided at once still works on a store that needs no connection. */
    @Override
    void close();
}
