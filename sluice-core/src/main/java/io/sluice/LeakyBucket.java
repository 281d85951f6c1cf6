package io.sluice;

import io.sluice.exact.Exact;
import java.time.Duration;

/**
 * A leaky bucket: a queue of up to {@code capacity} permits that drains {@code permits} in each {@code period}. An allowed
 * request gets a {@link Decision#delay()}. The caller waits for that delay and then proceeds, so that the work is evenly
 * spaced. The choice for calls to a partner that does not accept bursts.
 *
 * @param permits the permits that drain in a period
 * @param period the length of a period, in whole milliseconds
 * @param capacity the most permits in the queue
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
