package io.sluice.spring.method;

import io.sluice.RateLimitedException;
import io.sluice.policy.PolicyDecision;
import io.sluice.policy.PolicyPermit;
import org.jspecify.annotations.Nullable;

/**
 * The decision on a call.
 *
 * @param denial why the call is denied; null if it may go on
 * @param permit what the call holds until it ends
 */
record Admission(@Nullable RateLimitedException denial, PolicyPermit permit) {
    private static final PolicyPermit NOTHING = PolicyPermit.withoutHolds(PolicyDecision.of());

    /** The call may go on. */
    static final Admission ADMITTED = new Admission(null, NOTHING);

    /** The call is denied. */
    static Admission denied(RateLimitedException denial) {
        return new Admission(denial, NOTHING);
    }

    /** The call has ended: what it holds is released, without blocking. Only the first call counts. */
    void leave() {
        permit.closeAsync();
    }
}
