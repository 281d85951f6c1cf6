package io.sluice;

import io.sluice.exact.Exact;
import java.time.Duration;

/**
 * A sliding log: {@code permits} in any time span of length {@code window}, exactly. It stores every admitted request, so its
 * memory grows with {@code permits}. The choice for small limits that must be exact, such as logins.
 *
 * @param permits the permits of a time span, at most 100,000
 * @param window the length of the time span, in whole milliseconds
 */
public record SlidingLog(long permits, Duration window) implements Limit {
    static final long MAX_PERMITS = 100_000;

    public SlidingLog {
        Exact.requireCount("permits", permits);
        if (permits > MAX_PERMITS) {
            throw new IllegalArgumentException("permits: " + permits + " (expected: at most " + MAX_PERMITS
                    + " for sliding-log, whose memory grows with them; sliding-counter takes more)");
        }
        Exact.requireDuration("window", window);
    }

    @Override
    public Algorithm algorithm() {
        return Algorithm.SLIDING_LOG;
    }

    @Override
    public long capacity() {
        return permits;
    }

    @Override
    public Duration refillTime() {
        return window;
    }

    @Override
    public String toString() {
        return LimitText.rate(this, permits, window);
    }
}
