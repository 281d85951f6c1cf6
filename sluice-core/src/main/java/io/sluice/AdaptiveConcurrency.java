package io.sluice;

import io.sluice.exact.Exact;
import java.time.Duration;

/**
 * A limit on what is in flight that finds its number itself. Each key has a number of its own: it grows while requests are
 * answered as fast as ever, and it falls when they get slower. A {@link Permit} that is not closed is free again after one
 * minute. Only a store in memory has it, because the number is about what one process can carry.
 *
 * @param from the number at which a key begins
 * @param least the lowest number
 * @param most the highest number, at most 100,000
 */
public record AdaptiveConcurrency(long from, long least, long most) implements Limit {
    static final long DEFAULT_FROM = 20;
    static final long DEFAULT_LEAST = 1;
    static final long DEFAULT_MOST = 1000;
    static final AdaptiveConcurrency DEFAULT = new AdaptiveConcurrency(DEFAULT_FROM, DEFAULT_LEAST, DEFAULT_MOST);

    public AdaptiveConcurrency {
        Exact.requireCount("least", least);
        Exact.requireCount("most", most);
        if (most > Concurrency.MAX_PERMITS) {
            throw new IllegalArgumentException("most: " + most + " (expected: at most " + Concurrency.MAX_PERMITS
                    + " for concurrency, whose memory grows with it)");
        }
        if (least > most) {
            throw new IllegalArgumentException(
                    "least: " + least + " (expected: at most " + most + ", the other number)");
        }
        if (from < least || from > most) {
            throw new IllegalArgumentException("from: " + from + " (expected: " + least + " to " + most + ")");
        }
    }

    /** This limit with another number at which a key begins. */
    public AdaptiveConcurrency from(long from) {
        return new AdaptiveConcurrency(from, least, most);
    }

    /** This limit with another range. If {@code from} is not in it, it becomes the nearest number that is. */
    public AdaptiveConcurrency between(long least, long most) {
        return new AdaptiveConcurrency(Math.max(least, Math.min(from, most)), least, most);
    }

    @Override
    public Algorithm algorithm() {
        return Algorithm.ADAPTIVE_CONCURRENCY;
    }

    @Override
    public long capacity() {
        return most;
    }

    @Override
    public Duration refillTime() {
        return Concurrency.DEFAULT_HOLD;
    }

    @Override
    public String toString() {
        return algorithm()
                + (from == DEFAULT_FROM ? "" : " from " + from)
                + (least == DEFAULT_LEAST && most == DEFAULT_MOST ? "" : " between " + least + " and " + most);
    }
}
