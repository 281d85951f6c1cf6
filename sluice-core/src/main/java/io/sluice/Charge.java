package io.sluice;

import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Permits asked of one limiter for one key, to be decided together with others by {@link Store#decide}.
 *
 * @param limiter a limiter of the store that decides, or a {@link CallLimiter} of it
 * @param key whose permits
 * @param permits how many; 0 only looks
 * @param kept permits that are kept for others: the charge is judged as if it asked for that many more, and told what
 *     remains without them; a denial only because of them starts no lockout
 * @param shadow whether its verdict is only told: it never denies the others, and is taken when they are and it would have
 *     allowed it; its own lockout starts as usual
 * @param expected the one limit that the asker takes to be in force; if another is, nothing is decided, and {@link
 *     LimitChangedException} is thrown; null for whatever is in force
 * @param own the limit that the charge carries, if it is on a {@link CallLimiter}; null on any other
 */
public record Charge(
        Chargeable limiter,
        String key,
        long permits,
        long kept,
        boolean shadow,
        @Nullable Limit expected,
        @Nullable Limit own) {
    public Charge {
        Objects.requireNonNull(limiter, "limiter");
        Objects.requireNonNull(key, "key");
        if (limiter instanceof CallLimiter != (own != null) || (own != null && expected != null)) {
            throw new IllegalArgumentException("charge on \"" + limiter.name() + "\": carries " + own + ", expects "
                    + expected + " (expected: a limit of its own on a call limiter, and only there)");
        }
        if (permits < 0) {
            throw new IllegalArgumentException("permits: " + permits + " (expected: >= 0)");
        }
        if (kept < 0 || kept > Exact.MOST) {
            throw new IllegalArgumentException("kept: " + kept + " (expected: 0 to " + Exact.MOST + ")");
        }
    }

    /** A charge that counts, with nothing kept, under whatever limits are in force. */
    public Charge(RateLimiter limiter, String key, long permits) {
        this(limiter, key, permits, 0, false, null, null);
    }

    /** A charge on a limiter that has its limits in force. */
    public Charge(RateLimiter limiter, String key, long permits, long kept, boolean shadow, @Nullable Limit expected) {
        this(limiter, key, permits, kept, shadow, expected, null);
    }

    /** A charge that counts, with nothing kept, under the limit that it carries. */
    public Charge(CallLimiter limiter, String key, long permits, Limit own) {
        this(limiter, key, permits, 0, false, null, Objects.requireNonNull(own, "own"));
    }

    /** The same, with so many permits kept for others. */
    public Charge keeping(long permits) {
        return new Charge(limiter, key, this.permits, permits, shadow, expected, own);
    }

    /** The same, but its verdict is only told. */
    public Charge inShadow() {
        return new Charge(limiter, key, permits, kept, true, expected, own);
    }

    /** The same, if that limit is in force. */
    public Charge expecting(Limit limit) {
        return new Charge(limiter, key, permits, kept, shadow, limit, own);
    }
}
