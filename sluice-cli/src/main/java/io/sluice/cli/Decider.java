package io.sluice.cli;

import io.sluice.Limit;
import io.sluice.RateLimiter;
import io.sluice.Store;
import java.util.List;

/** Decides rows, each by every limit independently, at the times they say. They go to the {@link Results} in order. */
interface Decider extends AutoCloseable {
    /** Takes the next row. Its decisions may be made later, when there are more to make. */
    void decide(TraceRow row);

    /** Returns when every row so far is decided and handed on. */
    void settle();

    /** Forgets all state. Rows that are not settled are lost. */
    @Override
    void close();

    /** A limiter for each limit, also for equal ones. */
    static RateLimiter[] limiters(Store store, List<Limit> limits) {
        RateLimiter[] limiters = new RateLimiter[limits.size()];
        for (int i = 0; i < limiters.length; i++) {
            limiters[i] = store.limiter("limit-" + (i + 1), limits.get(i));
        }
        return limiters;
    }
}
