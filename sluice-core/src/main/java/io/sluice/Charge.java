package io.sluice;

import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Permits asked of one limiter for one key, to be decided together with others by {@link Store#decide}.
 *
 * @param limiter a limiter of the store that decides
 * @param key whose permits
 * @param permits how many; 0 only looks
 * @param kept permits that are kept for others: the charge is judged as if it asked for that many more, and told what
 *     remains without them; a denial only because of them starts no lockout
 * @param shadow whether its verdict is only told: it never denies the others, and is taken when they are and it would have
 *     allowed it; its own lockout starts as usual
 * @param expected the one limit that the asker takes to be in force; if another is, nothing is decided, and {@link
 *     LimitChangedException} is thrown; null for whatever is in force
 */
public record Charge(
        RateLimiter limiter,
        String key,
        long permits,
        long kept,
        boolean shadow,
        @Nullable Limit expected) {
    public Charge {
        Objects.requireNonNull(limiter, "limiter");
        Objects.requireNonNull(key, "key");
        if (permits < 0) {
            throw new IllegalArgumentException("permits: " + permits + " (expected: >= 0)");
        }
        if (kept < 0 || kept > Exact.MOST) {
            throw new IllegalArgumentException("kept: " + kept + " (expected: 0 to " + Exact.MOST + ")");
        }
    }

    /** A charge that counts, with nothing kept, under whatever limits are in force. */
    public Charge(RateLimiter limiter, String key, long permits) {
        this(limiter, key, permits, 0, false, null);
    }

    /** The same, with so many permits kept for others. */
    public Charge keeping(long permits) {
        return new Charge(limiter, key, this.permits, permits, shadow, expected);
    }

    /** The same, but its verdict is only told. */
    public Charge inShadow() {
        return new Charge(limiter, key, permits, kept, true, expected);
    }

    /** The same, if that limit is in force. */
    public Charge expecting(Limit limit) {
        return new Charge(limiter, key, permits, kept, shadow, limit);
    }
}
