package io.sluice.spi;

import io.sluice.Limit;
import io.sluice.LimiterOptions;
import io.sluice.RateLimiter;
import io.sluice.Store;
import java.util.List;

/** A store on which a policy engine can stand: it puts many limits in force at one moment, and publishes texts. */
public interface PolicyStore extends Store {
    /**
     * Makes limiters ahead of {@link #enforce}. Limits in force do not change, and limiters that exist stay as they are. Each
     * limiter is to be {@linkplain #release released} when it is no longer needed.
     *
     * @return the limiters, in the order of the specs
     */
    List<RateLimiter> limiters(List<LimiterSpec> specs);

    /**
     * Puts limits in force, all at one moment. New limiters are made, limiters with another limit are updated, and what was
     * used stays used. Where the store has limits of a higher {@linkplain LimiterOptions#revision() revision}, those stay in
     * force; {@link RateLimiter#limits()} tells which ones are.
     *
     * <p>A decision sees all limits as they were before, or all as they are afterwards.
     *
     * @return the limiters, in the order of the specs
     */
    List<RateLimiter> enforce(List<LimiterSpec> specs);

    /**
     * Releases limiters that this process got by {@link #limiters}, once for each time that it got them. Their state stays,
     * and a limiter that is asked for again continues with it; but a store that synchronizes limiters with other processes
     * need not do that for these.
     */
    default void release(List<RateLimiter> limiters) {}

    /**
     * The limits of some limiters of this store as of one moment: never some from before an {@link #enforce} and some from
     * after it.
     */
    List<List<Limit>> limits(List<RateLimiter> limiters);

    /** The text of that name which all processes on this store share. */
    Publication publication(String name);
}
