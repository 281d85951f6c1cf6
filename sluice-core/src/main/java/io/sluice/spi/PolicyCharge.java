package io.sluice.spi;

import io.sluice.CallLimiter;
import io.sluice.Charge;
import io.sluice.Chargeable;
import io.sluice.Limit;
import io.sluice.exact.Exact;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A charge with the options that a policy needs.
 *
 * @param limiter the limiter to charge
 * @param key the key to charge
 * @param permits how many permits to take; 0 takes nothing and only reports
 * @param limit the limit that the charge carries, on a {@link CallLimiter}; null on any other limiter
 * @param kept permits that are kept for other requests. The charge is judged as if it asked for that many more, and {@code
 *     remaining} does not contain them. A denial that only they cause starts no lockout.
 * @param shadow whether the verdict is only reported. A shadow charge never denies the request. It is taken if the request is
 *     allowed and its own limit allows it. Its own lockout starts as usual.
 * @param expected the limit that the caller believes to be in force. If another limit is in force, the store decides nothing and
 *     throws {@link LimitChangedException}. Null accepts any limit.
 * @param taking when the permits are taken
 */
public record PolicyCharge(
        Chargeable limiter,
        String key,
        long permits,
        @Nullable Limit limit,
        long kept,
        boolean shadow,
        @Nullable Limit expected,
        Taking taking)
        implements Charge {
    public PolicyCharge {
        Objects.requireNonNull(limiter, "limiter");
        Objects.requireNonNull(key, "key");
        Objects.requireNonNull(taking, "taking");
        if (limiter instanceof CallLimiter != (limit != null) || (limit != null && expected != null)) {
            throw new IllegalArgumentException("charge on \"" + limiter.name() + "\": carries " + limit + ", expects "
                    + expected + " (expected: a limit of its own on a call limiter, and only there)");
        }
        if (permits < 0) {
            throw new IllegalArgumentException("permits: " + permits + " (expected: >= 0)");
        }
        if (kept < 0 || kept > Exact.MAX_NUMBER) {
            throw new IllegalArgumentException("kept: " + kept + " (expected: 0 to " + Exact.MAX_NUMBER + ")");
        }
    }

    /** A charge whose permits are taken if the whole request is allowed. */
    public PolicyCharge(
            Chargeable limiter,
            String key,
            long permits,
            @Nullable Limit limit,
            long kept,
            boolean shadow,
            @Nullable Limit expected) {
        this(limiter, key, permits, limit, kept, shadow, expected, Taking.IF_ADMITTED);
    }

    /** The charge with options. A charge without options gets the defaults: no shadow, nothing kept, any limit. */
    public static PolicyCharge of(Charge charge) {
        return charge instanceof PolicyCharge policy
                ? policy
                : new PolicyCharge(charge.limiter(), charge.key(), charge.permits(), charge.limit(), 0, false, null);
    }

    /** The {@link #kept} permits of any charge. */
    public static long kept(Charge charge) {
        return charge instanceof PolicyCharge policy ? policy.kept : 0;
    }

    /** Whether any charge is a {@link #shadow} charge. */
    public static boolean isShadow(Charge charge) {
        return charge instanceof PolicyCharge policy && policy.shadow;
    }

    /** The {@link #expected} limit of any charge. */
    public static @Nullable Limit expected(Charge charge) {
        return charge instanceof PolicyCharge policy ? policy.expected : null;
    }

    /** When any charge takes its permits. */
    public static Taking taking(Charge charge) {
        return charge instanceof PolicyCharge policy ? policy.taking : Taking.IF_ADMITTED;
    }

    /** This charge, taken at another time. */
    public PolicyCharge taking(Taking taking) {
        return new PolicyCharge(limiter, key, permits, limit, kept, shadow, expected, taking);
    }

    /** This charge with permits kept for other requests. */
    public PolicyCharge keeping(long permits) {
        return new PolicyCharge(limiter, key, this.permits, limit, permits, shadow, expected, taking);
    }

    /** This charge as a shadow charge. */
    public PolicyCharge inShadow() {
        return new PolicyCharge(limiter, key, permits, limit, kept, true, expected, taking);
    }

    /** This charge, decided only if a certain limit is in force. */
    public PolicyCharge expecting(Limit limit) {
        return new PolicyCharge(limiter, key, permits, this.limit, kept, shadow, limit, taking);
    }
}
