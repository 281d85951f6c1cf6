package io.sluice;

import io.sluice.exact.Exact;
import java.time.Duration;
import java.util.Objects;

/**
 * Permits grow, {@code permits} in every {@code period}, up to {@code burst}. A request is allowed if as many permits
 * are there as it asks for. The choice for most APIs: it bounds the rate and allows short bursts.
 *
 * @param permits how many permits come in a period
 * @param period the time in which they come; whole milliseconds
 * @param burst the most permits that are ever there, and what a new key starts with
 * @param refill whether permits come continuously or all at the end of each period
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

    /** This limit with another way to refill. */
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
