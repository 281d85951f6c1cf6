package io.sluice.http;

import io.sluice.Decision;
import io.sluice.policy.PolicyDecision;
import io.sluice.policy.PolicyResult;

/** Converts times to whole seconds for HTTP. Rounds up, so that no client retries too early. */
final class Seconds {
    private static final long MICROS = 1_000_000;

    private Seconds() {}

    static long of(long micros) {
        return micros / MICROS + (micros % MICROS == 0 ? 0 : 1);
    }

    /**
     * The value of {@code Retry-After}, at least 1; 0 if the request was allowed or will never be allowed. A concurrency limit counts as
     * 1: what is in flight is usually given back long before it lapses.
     */
    static long retryAfter(PolicyDecision decision) {
        long micros = decision.retryAfterMicros();
        if (decision.allowed() || micros == Decision.NEVER) {
            return 0;
        }
        boolean holds = false;
        long others = 0;
        for (PolicyResult result : decision.results()) {
            if (result.isViolated() && result.limit().algorithm().holds()) {
                holds = true;
            } else if (result.isViolated()) {
                others = Math.max(others, result.decision().retryAfterMicros());
            }
        }
        return Math.max(1, of(holds ? others : micros));
    }
}
