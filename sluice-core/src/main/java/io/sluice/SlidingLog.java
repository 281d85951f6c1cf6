package io.sluice;

import io.sluice.exact.Exact;
import java.time.Duration;

/**
 * {@code permits} in any {@code window}, exactly, by remembering every admission. The choice for small limits that
 * matter, such as logins; its memory grows with {@code permits}.
 *
 * @param permits how many permits any window has; at most 100,000
 * @param window how long a window lasts; whole milliseconds
 */
public record SlidingLog(long permits, Duration window) implements Limit {
    static final long MOST_PERMITS = 100_000;

    public SlidingLog {
        Exact.requireCount("permits", permits);
        if (permits > MOST_PERMITS) {
            throw new IllegalArgumentException("permits: " + permits + " (expected: at most " + MOST_PERMITS
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
