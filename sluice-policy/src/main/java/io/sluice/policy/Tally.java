package io.sluice.policy;

import io.sluice.Blocked;
import io.sluice.Decision;
import io.sluice.Limit;
import io.sluice.RateLimiter;
import io.sluice.Unlimited;
import org.jspecify.annotations.Nullable;

/**
 * One limit of one policy, its own or an override's, as the store counts it.
 *
 * @param override which one; null for the policy's own
 * @param limit the limit in force
 * @param kept how many permits the policy's reserve keeps of it
 * @param limiter who counts; null if nothing is counted because the answer is always the same
 */
record Tally(
        @Nullable LimitOverride override,
        Limit limit,
        long kept,
        @Nullable RateLimiter limiter) {
    static final Decision UNLIMITED = Decision.allowed(Long.MAX_VALUE, 0, 0);
    static final Decision BLOCKED = Decision.denied(0, Decision.NEVER, 0);

    static boolean isCounted(Limit limit) {
        return !(limit instanceof Unlimited || limit instanceof Blocked);
    }

    /** The answer of a limit that nothing is counted for. */
    Decision constant() {
        return limit instanceof Unlimited ? UNLIMITED : BLOCKED;
    }

    /** The same with the limit that is in force by now. */
    Tally inForce(Limit now, @Nullable Reserve reserve) {
        return now.equals(limit)
                ? this
                : new Tally(override, now, reserve == null ? 0 : reserve.permitsOf(now), limiter);
    }
}
