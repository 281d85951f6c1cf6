package io.sluice;

import io.sluice.exact.Exact;
import java.time.Duration;

/**
 * A fixed window: {@code permits} in each window. It is cheap and easy to explain. Around the border of two windows, up to
 * twice as many permits can be taken in a short time.
 *
 * @param permits the permits of a window
 * @param window the length of a window, in whole milliseconds
 * @param fromFirst whether a window begins with the first admitted request of a key. Otherwise windows are aligned to the Unix
 *     epoch: they begin at multiples of their length.
 */
public record FixedWindow(long permits, Duration window, boolean fromFirst) implements Limit {
    public FixedWindow {
        Exact.requireCount("permits", permits);
        Exact.requireDuration("window", window);
    }

    /** This limit with windows that begin with the first admitted request of a key, or that are aligned to the epoch. */
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
