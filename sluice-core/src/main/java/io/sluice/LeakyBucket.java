package io.sluice;

import io.sluice.exact.Exact;
import java.time.Duration;

/**
 * A queue that drains at a constant rate, {@code permits} in every {@code period}, and has room for {@code capacity}.
 * An allowed request is told a {@link Decision#delay()}: it waits that long, then goes, so that admitted work leaves
 * evenly spaced. The choice for calling a partner that bans bursts.
 *
 * @param permits how many permits drain in a period
 * @param period the time in which they drain; whole milliseconds
 * @param capacity how many permits may be in the queue
 */
public record LeakyBucket(long permits, Duration period, long capacity) implements Limit {
    public LeakyBucket {
        Exact.requireCount("permits", permits);
        Exact.requireDuration("period", period);
        Exact.requireCount("capacity", capacity);
        Exact.requireRefill("capacity", permits, period, capacity);
    }

    /** This limit with another capacity. */
    public LeakyBucket capacity(long capacity) {
        return new LeakyBucket(permits, period, capacity);
    }

    @Override
    public Algorithm algorithm() {
        return Algorithm.LEAKY_BUCKET;
    }

    @Override
    public Duration refillTime() {
        return Exact.duration(Exact.mulDivUp(capacity, Exact.micros(period), permits));
    }

    @Override
    public String toString() {
        return LimitText.rate(this, permits, period) + (capacity == permits ? "" : " capacity " + capacity);
    }
}
