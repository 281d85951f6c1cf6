package io.sluice;

import io.sluice.exact.DurationText;
import io.sluice.exact.Exact;
import java.time.Duration;

/**
 * Thrown if a limiter denies a {@linkplain RateLimiter#call call}. It carries the decision, so that a handler can tell its caller
 * when to try again.
 *
 * <pre>{@code
 * try {
 *     return limiter.call(user, () -> search(query));
 * } catch (RateLimitedException e) {
 *     return tooManyRequests(e.retryAfter());
 * }
 * }</pre>
 */
public final class RateLimitedException extends RuntimeException {
    private static final long serialVersionUID = 1;

    private final String limiter;
    private final String key;
    private final long permits;
    private final Decision decision;

    /**
     * Creates an exception for a request that was denied.
     *
     * @param limiter the name of the limiter
     * @param permits the permits that were asked for
     * @param decision why and until when. If it is allowed, because permits are free again or after a delay, the exception has the
     *     same decision as a denial: to retry at once, or after the delay.
     */
    public RateLimitedException(String limiter, String key, long permits, Decision decision) {
        super(message(limiter, key, permits, denial(decision)));
        this.limiter = limiter;
        this.key = key;
        this.permits = permits;
        this.decision = denial(decision);
    }

    private static Decision denial(Decision decision) {
        return decision.allowed()
                ? new Decision(
                        false,
                        decision.remaining(),
                        decision.delayMicros(),
                        0,
                        decision.resetAfterMicros(),
                        decision.debt(),
                        decision.degraded())
                : decision;
    }

    private static String message(String limiter, String key, long permits, Decision denial) {
        return "limiter \"" + limiter + "\", key \"" + key + "\": " + permits
                + (permits == 1 ? " permit denied, " : " permits denied, ") + denial.remaining() + " free, "
                + retry(denial) + (denial.degraded() ? ", decided without the store" : "");
    }

    private static String retry(Decision denial) {
        if (denial.never()) {
            return "more than the limit can ever give";
        }
        long millis = Exact.divUp(denial.retryAfterMicros(), 1000);
        return millis == 0 ? "retry at once" : "retry after " + DurationText.of(Duration.ofMillis(millis));
    }

    /** The name of the limiter. */
    public String limiter() {
        return limiter;
    }

    /** The key that was denied. */
    public String key() {
        return key;
    }

    /** The permits that were asked for. */
    public long permits() {
        return permits;
    }

    /** The decision of the limiter. It is never allowed. */
    public Decision decision() {
        return decision;
    }

    /** When to try again, see {@link Decision#retryAfter()}. */
    public Duration retryAfter() {
        return decision.retryAfter();
    }
}
