package io.sluice.testkit;

import io.sluice.Limit;
import io.sluice.RateLimiter;
import io.sluice.TimeSource;
import io.sluice.spi.PolicyStore;

/** What the parts of {@link StoreContract} have in common. */
interface StoreTests {
    PolicyStore newStore(TimeSource time);

    /** A limiter of a new store. */
    default RateLimiter newLimiter(TimeSource time, String limit) {
        return newStore(time).limiter("limiter", Limit.parse(limit));
    }
}
