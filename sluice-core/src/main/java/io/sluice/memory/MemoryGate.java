package io.sluice.memory;

import io.sluice.Decision;
import io.sluice.Gate;
import io.sluice.RateLimiter;
import io.sluice.TimeSource;
import io.sluice.memory.state.AtomicBucket;
import org.jspecify.annotations.Nullable;

/** A gate of a {@link MemoryLimiter}. It remembers the bucket of its key, to save the lookup. Thread-safe. */
final class MemoryGate implements Gate {
    private final MemoryLimiter limiter;
    private final String key;
    private final TimeSource time;

    /** Not volatile: a stale bucket answers {@link AtomicBucket#GONE}. */
    private @Nullable AtomicBucket bucket;

    MemoryGate(MemoryLimiter limiter, String key, TimeSource time) {
        this.limiter = limiter;
        this.key = key;
        this.time = time;
    }

    @Override
    public RateLimiter limiter() {
        return limiter;
    }

    @Override
    public String key() {
        return key;
    }

    @Override
    public boolean tryAcquire() {
        return tryAcquire(1);
    }

    @Override
    public boolean tryAcquire(long permits) {
        AtomicBucket known = bucket;
        if (known != null && permits > 0) {
            int answer = known.tryAcquire(permits, time);
            if (answer != AtomicBucket.GONE) {
                return answer == AtomicBucket.ALLOWED;
            }
        }
        boolean allowed = limiter.tryAcquire(key, permits);
        bucket = limiter.bucket(key);
        return allowed;
    }

    @Override
    public long acquireUpTo(long permits) {
        AtomicBucket known = bucket;
        if (known != null && permits > 0) {
            long taken = known.acquireUpTo(permits, time);
            if (taken != AtomicBucket.GONE_TAKEN) {
                return taken;
            }
        }
        long taken = limiter.acquireUpTo(key, permits);
        bucket = limiter.bucket(key);
        return taken;
    }

    @Override
    public Decision check(long permits) {
        AtomicBucket known = bucket;
        if (known != null && permits >= 0) {
            Decision decision = known.check(permits, time);
            if (decision != null) {
                return decision;
            }
        }
        Decision decision = limiter.check(key, permits);
        bucket = limiter.bucket(key);
        return decision;
    }
}
