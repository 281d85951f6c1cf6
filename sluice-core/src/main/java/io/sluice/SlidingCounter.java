package io.sluice;

import io.sluice.exact.Exact;
import java.time.Duration;

/**
 * A sliding counter: {@code permits} in any time span of length {@code window}, estimated. The time span is divided into slots
 * with a counter each. The oldest slot counts in proportion to the part of it that is still inside. The choice for large
 * limits over long windows.
 *
 * @param permits the permits of a time span
 * @param window the length of the time span, in whole milliseconds
 * @param slots the number of slots. It must divide the microseconds of the window.
 */
public record SlidingCounter(long permits, Duration window, long slots) implements Limit {
    static final long DEFAULT_SLOTS = 10;
    static final long MAX_SLOTS = 100_000;

    public SlidingCounter {
        Exact.requireCount("permits", permits);
        Exact.requireDuration("window", window);
        if (slots < 1 || slots > MAX_SLOTS) {
            throw new IllegalArgumentException("slots: " + slots + " (expected: 1 to " + MAX_SLOTS + ")");
        }
        long micros = Exact.micros(window);
        if (micros % slots != 0) {
            long divisor = slots;
            while (micros % divisor != 0) {
                divisor--;
            }
            throw new IllegalArgumentException("slots: " + slots + " (expected: a divisor of the window's " + micros
                    + " us; the largest below is " + divisor + ")");
        }
    }

    /** This limit with another number of slots. */
    public SlidingCounter slots(long slots) {
        return new SlidingCounter(permits, window, slots);
    }

    @Override
    public Algorithm algorithm() {
        return Algorithm.SLIDING_COUNTER;
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
        return LimitText.rate(this, permits, window) + (slots == DEFAULT_SLOTS ? "" : " slots " + slots);
    }
}
