package io.sluice;

import io.sluice.exact.DurationText;
import io.sluice.exact.Exact;
import java.time.Duration;
import java.util.Objects;

/**
 * Another limit whose denied keys are locked out: a denial locks the key for {@code duration}, in which everything is
 * denied; further tries do not prolong it. Underneath, the limit refills as usual.
 *
 * @param limit the limit that denies; has no lockout of its own and keeps state
 * @param duration how long a denial locks; whole milliseconds
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
