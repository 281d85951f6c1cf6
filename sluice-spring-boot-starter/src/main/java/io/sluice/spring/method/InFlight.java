package io.sluice.spring.method;

import io.sluice.Decision;
import io.sluice.Limit;
import io.sluice.RateLimitedException;
import io.sluice.spring.web.DenialOf;

/** Denials of concurrency limits. */
final class InFlight {
    private static final long SOON_MICROS = 1_000_000;

    private InFlight() {}

    /**
     * The decision as a caller should see it. A concurrency limit knows only when its permits would lapse. They are usually given back
     * long before, so a caller should try again after 1 s.
     */
    static Decision retrySoon(Limit limit, Decision denied) {
        return denied.allowed() || denied.never() || !limit.algorithm().holds()
                ? denied
                : new Decision(
                        false,
                        denied.remaining(),
                        Math.min(SOON_MICROS, denied.retryAfterMicros()),
                        0,
                        denied.resetAfterMicros(),
                        denied.debt(),
                        denied.degraded());
    }

    /** The denial as a caller should see it; any other failure as it is. */
    static Throwable retrySoon(Limit limit, Throwable failure) {
        RateLimitedException denial = DenialOf.failure(failure);
        return denial == null
                ? failure
                : new RateLimitedException(
                        denial.limiter(), denial.key(), denial.permits(), retrySoon(limit, denial.decision()));
    }
}
