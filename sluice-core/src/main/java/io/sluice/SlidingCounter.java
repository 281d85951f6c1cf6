package io.sluice;

import io.sluice.exact.Exact;
import java.time.Duration;

/**
 * {@code permits} in any {@code window}, estimated: the window is cut into slots that count, and the slot that is
 * sliding out weighs in proportion to the part of it that is still inside. The choice for large limits over long
 * windows.
 *
 * @param permits how many permits any window has
 * @param window how long a window lasts; whole milliseconds
 * @param slots into how many slots it is cut; must divide the window's microseconds
 */
public record SlidingCounter(long permits, Duration window, long slots) implements Limit {
    static final long DEFAULT_SLOTS = 10;
    static final long MOST_SLOTS = 100_000;

    public SlidingCounter {
        Exact.requireCount("permits", permits);
        Exact.requireDuration("window", window);
        if (slots < 1 || slots > MOST_SLOTS) {
            throw new IllegalArgumentException("slots: " + slots + " (expected: 1 to " + MOST_SLOTS + ")");
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

    /** This limit with its window cut into another number of slots. */
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
