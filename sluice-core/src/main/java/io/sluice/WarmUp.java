package io.sluice;

import io.sluice.exact.DurationText;
import io.sluice.exact.Exact;
import io.sluice.exact.WarmUpRate;
import java.time.Duration;

/**
 * A rate that warms up: after a pause, {@code permits} in each {@code period} are reached only step by step, over a time. A
 * request pays for the one after it: it is allowed at once if the one before is paid. The choice for a service that is slow
 * until its caches are full. It decides as Guava's limiter with a warm-up period does.
 *
 * @param permits the permits in a period when warm
 * @param period the length of a period, in whole milliseconds
 * @param over how long it takes to be warm, in whole milliseconds. A cold limiter is three times as slow as a warm one.
 */
public record WarmUp(long permits, Duration period, Duration over) implements Limit {
    public WarmUp {
        Exact.requireCount("permits", permits);
        Exact.requireDuration("period", period);
        Exact.requireDuration("over", over);
        long maxOver = WarmUpRate.maxOver(permits, period) / DurationText.MS * DurationText.MS;
        if (Exact.micros(over) > maxOver) {
            throw tooLong(permits, period, over, maxOver);
        }
    }

    private static IllegalArgumentException tooLong(long permits, Duration period, Duration over, long maxOver) {
        long round = round(permits, period, over);
        String rounder = round == 0 ? "" : round + " permits would do";
        String shorter = maxOver == 0 ? "" : "at most " + DurationText.of(Exact.duration(maxOver)) + " at this rate";
        String expected = rounder.isEmpty() || shorter.isEmpty() ? rounder + shorter : shorter + "; " + rounder;
        return new IllegalArgumentException("over: " + DurationText.of(over) + " (expected: "
                + (expected.isEmpty() ? "a rate with a smaller number of permits" : expected) + ", to stay exact)");
    }

    /** The next smaller round number of permits at which the warm-up may be so long; 0 if there is none. */
    private static long round(long permits, Duration period, Duration over) {
        for (long to = 10; to <= permits; to *= 10) {
            long round = permits - permits % to;
            if (Exact.micros(over) <= WarmUpRate.maxOver(round, period)) {
                return round;
            }
        }
        return 0;
    }

    @Override
    public Algorithm algorithm() {
        return Algorithm.WARM_UP;
    }

    @Override
    public long capacity() {
        return WarmUpRate.of(permits, period, over).capacity();
    }

    /** How long it takes until the limit is as cold as that of a new key, from the moment when the last request is paid. */
    @Override
    public Duration refillTime() {
        return over;
    }

    @Override
    public String toString() {
        return LimitText.rate(this, permits, period) + " over " + DurationText.of(over);
    }
}
