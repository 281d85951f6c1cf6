package io.sluice.redis;

import io.sluice.CallLimiter;
import io.sluice.Charge;
import io.sluice.Decisions;
import io.sluice.Limit;
import io.sluice.MemoryStore;
import io.sluice.RateLimiter;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/*
 * It does not begin anew with every outage: where Redis comes and goes, or only a part of a cluster is away, that would
 * give out a whole share each time. What was used here stays used until it is refilled.
 */
/** What this process enforces by itself while Redis is away. */
final class LocalShares {
    private final RedisStore store;
    private final MemoryStore memory = MemoryStore.create();
    private final Map<String, RateLimiter> limiters = new HashMap<>();

    LocalShares(RedisStore store) {
        this.store = store;
    }

    /** The limiter of that name for this process's share of the limits. */
    synchronized RateLimiter limiter(String name, List<Limit> limits) {
        int processes = store.processes();
        List<Limit> shares =
                limits.stream().map(limit -> LocalShare.of(limit, processes)).toList();
        Limit first = shares.get(0);
        Limit[] more = shares.subList(1, shares.size()).toArray(Limit[]::new);
        RateLimiter limiter = limiters.computeIfAbsent(name, unused -> memory.limiter(name, first, more));
        if (!limiter.limits().equals(shares)) {
            // They were updated, or the number of processes has changed: what was used stays used.
            limiter.update(first, more);
        }
        return limiter;
    }

    /** What decides by limits that come with calls, of which this process has its {@link #share}. */
    CallLimiter calls(String name) {
        return memory.callLimiter(name);
    }

    Limit share(Limit limit) {
        return LocalShare.of(limit, store.processes());
    }

    synchronized Decisions decide(List<Charge> charges) {
        return memory.decide(charges);
    }
}
