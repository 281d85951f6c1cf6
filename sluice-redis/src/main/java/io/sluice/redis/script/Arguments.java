package io.sluice.redis.script;

import io.sluice.Algorithm;
import io.sluice.Limit;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;

/** Checks the arguments of callers, and converts them to the numbers of the scripts. */
public final class Arguments {
    /** Stands for a wait without end, in microseconds. No real wait is as long. */
    public static final long FOR_EVER = 1L << 52;

    private static final int MOST_LIMITS = 100;

    private Arguments() {}

    public static void require(String key, long permits) {
        Objects.requireNonNull(key, "key");
        if (permits < 0) {
            throw new IllegalArgumentException("permits: " + permits + " (expected: >= 0)");
        }
    }

    /** A wait in microseconds, rounded up, and at most {@link #FOR_EVER}. */
    public static long micros(String what, Duration duration) {
        Objects.requireNonNull(duration, what);
        if (duration.isNegative()) {
            return 0;
        }
        return duration.compareTo(Duration.ofSeconds(FOR_EVER / 1_000_000)) >= 0
                ? FOR_EVER
                : (duration.toNanos() + 999) / 1000;
    }

    public static List<Limit> limits(Limit limit, Limit... more) {
        List<Limit> limits = new ArrayList<>();
        limits.add(limit);
        limits.addAll(Arrays.asList(more));
        if (limits.size() > MOST_LIMITS) {
            throw new IllegalArgumentException(
                    limits.size() + " limits on one limiter (expected: at most " + MOST_LIMITS + ")");
        }
        limits.forEach(Arguments::requireShared);
        return List.copyOf(limits);
    }

    /** Throws if Redis cannot enforce a limit. */
    public static Limit requireShared(Limit limit) {
        if (limit.algorithm() == Algorithm.ADAPTIVE_CONCURRENCY) {
            throw new IllegalArgumentException(
                    "limit: " + limit
                            + " on Redis (expected: a memory store, or scope: process in a policy; each process finds such a limit by itself)");
        }
        return limit;
    }
}
