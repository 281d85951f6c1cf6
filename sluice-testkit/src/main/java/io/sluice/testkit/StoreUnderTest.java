package io.sluice.testkit;

import io.sluice.Limit;
import io.sluice.RateLimiter;
import io.sluice.TimeSource;
import io.sluice.spi.PolicyStore;

/** The store under test, shared by all parts of {@link StoreContract}. */
interface StoreUnderTest {
    PolicyStore newStore(TimeSource time);

    /** A limiter of a new store. */
    default RateLimiter newLimiter(TimeSource time, String limit) {
        return newStore(time).limiter("limiter", Limit.parse(limit));
    }
}
