package io.sluice.http;

import io.sluice.Decision;
import io.sluice.policy.PolicyDecision;

/** Converts times to whole seconds for HTTP. Rounds up, so that no client retries too early. */
final class Seconds {
    private static final long MICROS = 1_000_000;

    private Seconds() {}

    static long of(long micros) {
        return micros / MICROS + (micros % MICROS == 0 ? 0 : 1);
    }

    /** The value of {@code Retry-After}, at least 1; 0 if the request was allowed or will never be allowed. */
    static long retryAfter(PolicyDecision decision) {
        long micros = decision.retryAfterMicros();
        return decision.allowed() || micros == Decision.NEVER ? 0 : Math.max(1, of(micros));
    }
}
