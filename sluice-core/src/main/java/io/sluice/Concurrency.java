package io.sluice;

import io.sluice.exact.DurationText;
import io.sluice.exact.Exact;
import java.time.Duration;

/**
 * A limit on what is in flight: at most {@code permits} are held at any time. {@link RateLimiter#enter} takes one, and closing
 * the {@link Permit} gives it back. A permit that its holder neither gives back nor renews is free again after {@code hold}, so
 * a holder that dies keeps nothing for ever. The choice for what must not happen too often at once: calls of a slow service,
 * expensive reports.
 *
 * @param permits the permits that may be held at any time, at most 100,000
 * @param hold how long a permit stays held after it was taken or renewed for the last time, in whole milliseconds
 */
public record Concurrency(long permits, Duration hold) implements Limit {
    static final long MAX_PERMITS = 100_000;
    static final Duration DEFAULT_HOLD = Duration.ofMinutes(1);

    public Concurrency {
        Exact.requireCount("permits", permits);
        if (permits > MAX_PERMITS) {
            throw new IllegalArgumentException("permits: " + permits + " (expected: at most " + MAX_PERMITS
                    + " for concurrency, whose memory grows with them)");
        }
        Exact.requireDuration("hold", hold);
    }

    /** This limit with another time for which a permit stays held if it is not renewed. */
    public Concurrency hold(Duration hold) {
        return new Concurrency(permits, hold);
    }

    @Override
    public Algorithm algorithm() {
        return Algorithm.CONCURRENCY;
    }

    @Override
    public long capacity() {
        return permits;
    }

    @Override
    public Duration refillTime() {
        return hold;
    }

    @Override
    public String toString() {
        return algorithm() + " " + permits + (hold.equals(DEFAULT_HOLD) ? "" : " hold " + DurationText.of(hold));
    }
}
