package io.sluice;

import io.sluice.exact.Exact;
import java.time.Duration;
import java.util.Objects;

/**
 * A token bucket: it refills {@code permits} in each {@code period}, up to {@code burst}. A request is allowed if enough
 * permits are free. The choice for most APIs: it limits the rate and allows short bursts.
 *
 * @param permits the permits that are added in a period
 * @param period the length of a period, in whole milliseconds
 * @param burst the capacity of the bucket. A new key starts with a full bucket.
 * @param refill whether permits are added continuously, or all at the end of each period
 */
public record TokenBucket(long permits, Duration period, long burst, Refill refill) implements Limit {
    public TokenBucket {
        Exact.requireCount("permits", permits);
        Exact.requireDuration("period", period);
        Exact.requireCount("burst", burst);
        Objects.requireNonNull(refill, "refill");
        if (refill == Refill.INTERVAL) {
            Exact.requireIntervalRefill(permits, period, burst);
        } else {
            Exact.requireRefill("burst", permits, period, burst);
        }
    }

    /** This limit with another burst. */
    public TokenBucket burst(long burst) {
        return new TokenBucket(permits, period, burst, refill);
    }

    /** This limit with another kind of refill. */
    public TokenBucket refill(Refill refill) {
        return new TokenBucket(permits, period, burst, refill);
    }

    @Override
    public Algorithm algorithm() {
        return Algorithm.TOKEN_BUCKET;
    }

    @Override
    public long capacity() {
        return burst;
    }

    @Override
    public Duration refillTime() {
        long micros = Exact.micros(period);
        return Exact.duration(
                refill == Refill.INTERVAL
                        ? Exact.divUp(burst, permits) * micros
                        : Exact.mulDivUp(burst, micros, permits));
    }

    @Override
    public String toString() {
        return LimitText.rate(this, permits, period)
                + (burst == permits ? "" : " burst " + burst)
                + (refill == Refill.INTERVAL ? " refill interval" : "");
    }
}
