package io.sluice;

import io.sluice.exact.DurationText;
import io.sluice.exact.Exact;
import java.time.Duration;
import java.util.Objects;

/**
 * A limit with a lockout: after a denial, all requests of the key are denied for {@code duration}. Further requests do not
 * extend the lockout. The limit inside refills as usual.
 *
 * @param limit the limit inside. It has no lockout of its own, and is neither {@code unlimited} nor {@code blocked}.
 * @param duration the length of the lockout, in whole milliseconds
 */
public record Lockout(Limit limit, Duration duration) implements Limit {
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
        return limit + " lockout " + DurationText.of(duration);
    }
}
