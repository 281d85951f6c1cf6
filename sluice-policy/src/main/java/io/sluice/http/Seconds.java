package io.sluice.http;

import io.sluice.Decision;
import io.sluice.policy.PolicyDecision;

/** Times as HTTP writes them: whole seconds, rounded up, so that nobody comes back too early. */
final class Seconds {
    private static final long MICROS = 1_000_000;

    private Seconds() {}

    static long of(long micros) {
        return micros / MICROS + (micros % MICROS == 0 ? 0 : 1);
    }

    /** When to come back: at least 1, or 0 if there is no such time, because it was allowed or never will be. */
    static long retryAfter(PolicyDecision decision) {
        long micros = decision.retryAfterMicros();
        return decision.allowed() || micros == Decision.NEVER ? 0 : Math.max(1, of(micros));
    }
}
