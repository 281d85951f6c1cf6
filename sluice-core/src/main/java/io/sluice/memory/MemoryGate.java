package io.sluice.memory;

import io.sluice.Decision;
import io.sluice.Gate;
import io.sluice.RateLimiter;
import io.sluice.TimeSource;
import io.sluice.memory.state.AtomicBucket;
import io.sluice.memory.state.KeyEntry;
import org.jspecify.annotations.Nullable;

/** A gate of a {@link MemoryLimiter}. It remembers the entry of its key, to save the lookup. Thread-safe. */
final class MemoryGate implements Gate {
    private final MemoryLimiter limiter;
    private final String key;
    private final TimeSource time;

    /** The entry of the key, once it is known. Not volatile: a stale entry answers {@link KeyEntry#GONE}. */
    private @Nullable KeyEntry entry;

    /**
     * The entry, if it is a bucket in one word. A field of its own, so that a call does not have to find out the class of the entry:
     * that would read memory that all threads write once more than necessary.
     */
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
        int answer = permits > 0 ? tryKnown(permits) : KeyEntry.GONE;
        if (answer != KeyEntry.GONE) {
            return answer == KeyEntry.ALLOWED;
        }
        boolean allowed = limiter.tryAcquire(key, permits);
        remember();
        return allowed;
    }

    private int tryKnown(long permits) {
        AtomicBucket word = bucket;
        if (word != null) {
            return word.tryAcquire(permits, time);
        }
        KeyEntry known = entry;
        return known == null ? KeyEntry.GONE : known.tryAcquire(permits, time);
    }

    @Override
    public long acquireUpTo(long permits) {
        KeyEntry known = entry;
        if (known != null && permits > 0) {
            long taken = known.acquireUpTo(permits, time);
            if (taken != KeyEntry.GONE_TAKEN) {
                return taken;
            }
        }
        long taken = limiter.acquireUpTo(key, permits);
        remember();
        return taken;
    }

    @Override
    public Decision check(long permits) {
        KeyEntry known = entry;
        if (known != null && permits >= 0) {
            Decision decision = known.check(permits, time);
            if (decision != null) {
                return decision;
            }
        }
        Decision decision = limiter.check(key, permits);
        remember();
        return decision;
    }

    private void remember() {
        KeyEntry now = limiter.entry(key);
        bucket = now instanceof AtomicBucket word ? word : null;
        entry = now;
    }
}
