package io.sluice.spi;

import io.sluice.Limit;
import io.sluice.LimiterOptions;
import io.sluice.RateLimiter;
import io.sluice.Store;
import java.util.List;

/** A store for policy engines. It puts many limits in force at one moment, and publishes texts. */
public interface PolicyStore extends Store {
    /**
     * Creates limiters before {@link #enforce}. Limits in force and existing limiters do not change. {@linkplain #release
     * Release} each limiter when it is no longer needed.
     *
     * @return the limiters, in the order of the specs
     */
    List<RateLimiter> limiters(List<LimiterSpec> specs);

    /**
     * Puts limits in force, all at one moment. Missing limiters are created. Limiters with another limit are updated, and keys
     * keep their use. Limits with a higher {@linkplain LimiterOptions#revision() revision} stay in force. {@link
     * RateLimiter#limits()} returns the limits in force.
     *
     * <p>A decision sees all limits from before, or all limits from after.
     *
     * @return the limiters, in the order of the specs
     */
    List<RateLimiter> enforce(List<LimiterSpec> specs);

    /**
     * Releases limiters that {@link #limiters} returned, once for each call. Their state stays, and a limiter that is requested
     * again continues with it. A store that synchronizes limiters with other processes may stop that for released limiters.
     */
    default void release(List<RateLimiter> limiters) {}

    /**
     * The limits of some limiters of this store, as of one moment: all from before an {@link #enforce}, or all from after it.
     */
    List<List<Limit>> limits(List<RateLimiter> limiters);

    /** The publication of a name. All processes on this store share it. */
    Publication publication(String name);
}
