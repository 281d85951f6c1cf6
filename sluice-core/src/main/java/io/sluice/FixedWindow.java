package io.sluice;

import io.sluice.exact.Exact;
import java.time.Duration;

/**
 * {@code permits} in each window. Cheap and easy to explain; up to twice as many can pass around the edge of two
 * windows.
 *
 * @param permits how many permits a window has
 * @param window how long a window lasts; whole milliseconds
 * @param fromFirst whether a window opens with a key's first admitted request rather than at a whole multiple of its
 *     length since the Unix epoch
 */
public record FixedWindow(long permits, Duration window, boolean fromFirst) implements Limit {
    public FixedWindow {
        Exact.requireCount("permits", permits);
        Exact.requireDuration("window", window);
    }

    /** This limit with windows that open with a key's first admitted request, or that are aligned to the epoch. */
    public FixedWindow fromFirst(boolean fromFirst) {
        return new FixedWindow(permits, window, fromFirst);
    }

    @Override
    public Algorithm algorithm() {
        return Algorithm.FIXED_WINDOW;
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
        return LimitText.rate(this, permits, window) + (fromFirst ? " from-first" : "");
    }
}
