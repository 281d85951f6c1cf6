package io.sluice.redis.call;

import io.sluice.Limit;
import io.sluice.redis.limits.VersionedLimits;
import io.sluice.spi.Taking;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The permits that a joint decision asks of one key.
 *
 * @param kept the limit must have so many more permits than are asked for: they are kept for other requests
 * @param shadow whether the charge is reported only, and never denies the others
 * @param taking when the permits are taken
 * @param expected the limit that must be in force, if any
 * @param callLimit the limit that comes with the charge, if any
 */
public record KeyCharge(
        LimiterContext limiter,
        String key,
        long permits,
        long kept,
        boolean shadow,
        Taking taking,
        @Nullable Limit expected,
        @Nullable VersionedLimits callLimit) {
    /** The permits asked for and kept: the charge is allowed if so many are available. */
    long judged() {
        long asked = taking == Taking.FIRST ? 0 : permits;
        return asked > Long.MAX_VALUE - kept ? Long.MAX_VALUE : asked + kept;
    }

    /** Whether it takes its permits if the request is allowed, even if its own limit denies. */
    boolean withRequest() {
        return taking == Taking.WITH_REQUEST;
    }

    /** Whether it takes its permits even if the request is denied. */
    boolean always() {
        return taking == Taking.ALWAYS || taking == Taking.FIRST;
    }

    /** Whether it is decided as a check of the limiter: it keeps nothing, denies, and is taken if it is allowed. */
    boolean isPlain() {
        return kept == 0 && !shadow && taking == Taking.IF_ADMITTED;
    }

    CalledKey calledKey() {
        return new CalledKey(limiter, key);
    }

    /** Both charges on one key as one charge. The sum of permits never overflows. */
    KeyCharge plus(KeyCharge other) {
        if (callLimit != null && other.callLimit != null && !callLimit.hasSameLimits(other.callLimit)) {
            throw new IllegalArgumentException("charges on \"" + limiter.name() + "\", key \"" + key + "\": carry "
                    + callLimit.limits().get(0) + " and "
                    + other.callLimit.limits().get(0) + " (expected: one limit for each key of a decision)");
        }
        boolean fits = permits <= Long.MAX_VALUE - other.permits;
        return new KeyCharge(
                limiter,
                key,
                fits ? permits + other.permits : Long.MAX_VALUE,
                Math.max(kept, other.kept),
                shadow && other.shadow,
                taking == other.taking ? taking : Taking.IF_ADMITTED,
                expected,
                callLimit);
    }

    private VersionedLimits versions() {
        return callLimit == null ? limiter.versions() : callLimit;
    }

    /** The limits by which it is decided, as far as this process knows. */
    public List<Limit> limits() {
        return versions().limits();
    }

    /** Whether one of its limits is of concurrency. */
    public boolean holds() {
        return versions().holds;
    }

    boolean locksOut() {
        return versions().locksOut();
    }

    boolean isOutdated(VersionedLimits inForce) {
        return expected != null
                && !(inForce.limits().size() == 1
                        && expected.equals(inForce.limits().get(0)));
    }
}
