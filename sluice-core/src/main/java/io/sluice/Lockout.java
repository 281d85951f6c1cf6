package io.sluice;

import io.sluice.exact.DurationText;
import io.sluice.exact.Exact;
import java.time.Duration;
import java.util.Objects;

/**
 * A limit with a lockout: after a denial, all requests of the key are denied for {@code duration}. Further requests do not
 * extend the lockout. The limit inside refills as usual.
 *
 * @param limit the limit inside. It has no lockout of its own, and is neither {@code unlimited} nor {@code blocked}, and does
 *     not limit concurrency.
 * @param duration the length of the lockout, in whole milliseconds
 * @param escalate how often the next lockout of a key is twice as long as the one before, up to 10; 0 for never. One day after
 *     its last lockout ended, a key begins with {@code duration} again.
 */
public record Lockout(Limit limit, Duration duration, int escalate) implements Limit {
    /** The most that a lockout may escalate. */
    public static final int MAX_ESCALATE = 10;

    private static final long FORGET_MICROS = DurationText.DAY;

    public Lockout {
        Objects.requireNonNull(limit, "limit");
        Exact.requireDuration("lockout", duration);
        if (limit instanceof Lockout) {
            throw new IllegalArgumentException("lockout: twice on " + limit + " (expected: once)");
        }
        if (limit instanceof Unlimited || limit instanceof Blocked) {
            throw new IllegalArgumentException(
                    "lockout: on " + limit + " (expected: on a limit with a rate, this one keeps no state)");
        }
        if (limit.algorithm().holds()) {
            throw new IllegalArgumentException(
                    "lockout: on " + limit + " (expected: on a limit with a rate, this one limits what is in flight)");
        }
        if (escalate < 0 || escalate > MAX_ESCALATE) {
            throw new IllegalArgumentException("escalate: " + escalate + " (expected: 1 to " + MAX_ESCALATE + ")");
        }
        long longest = (Exact.MAX_MICROS - 1 - FORGET_MICROS) >> escalate;
        if (escalate > 0 && Exact.micros(duration) > longest) {
            throw new IllegalArgumentException("lockout: " + DurationText.of(duration) + " (expected: at most "
                    + longest / DurationText.MS + "ms with escalate " + escalate + ")");
        }
    }

    /** A limit with a lockout that always has the same length. */
    public Lockout(Limit limit, Duration duration) {
        this(limit, duration, 0);
    }

    /** This limit with lockouts that grow: up to {@code times} times, the next lockout is twice as long. */
    public Lockout escalate(int times) {
        return new Lockout(limit, duration, times);
    }

    @Override
    public Algorithm algorithm() {
        return limit.algorithm();
    }

    @Override
    public long capacity() {
        return limit.capacity();
    }

    @Override
    public Duration refillTime() {
        return limit.refillTime();
    }

    @Override
    public String toString() {
        return limit + " lockout " + DurationText.of(duration) + (escalate == 0 ? "" : " escalate " + escalate);
    }
}
