package io.sluice;

import io.sluice.exact.Exact;
import java.io.Serializable;
import java.time.Duration;
import java.time.temporal.ChronoUnit;

/**
 * The answer to one request for permits. Times are in microseconds from the moment of the decision. They assume that no other
 * request comes.
 *
 * @param allowed whether the request is allowed. If so, its permits are taken. A denied request takes nothing.
 * @param remaining the whole permits that are free after this decision: 0 while the key is locked out or paused, {@link
 *     Long#MAX_VALUE} if it is unlimited
 * @param retryAfterMicros the time until the same request would be allowed: 0 if this one is allowed, {@link #NEVER} if it asks
 *     for more permits than the limit can ever give
 * @param delayMicros the time that the caller must wait before it uses the permits; 0 for all limits but {@link LeakyBucket}
 * @param resetAfterMicros the time until the key is fresh: as if it had never been used
 * @param debt the permits in use beyond the limit after this decision, rounded up: 0 if the key is not in debt, and for a {@link
 *     WarmUp}, which owes time and not permits
 * @param degraded whether the store did not answer, so that the limiter's {@link OnFailure} decided
 */
public record Decision(
        boolean allowed,
        long remaining,
        long retryAfterMicros,
        long delayMicros,
        long resetAfterMicros,
        long debt,
        boolean degraded)
        implements Serializable {

    /** The {@link #retryAfterMicros()} of a request that can never be allowed. */
    public static final long NEVER = Long.MAX_VALUE;

    /** Creates a decision without a debt. */
    public Decision(
            boolean allowed,
            long remaining,
            long retryAfterMicros,
            long delayMicros,
            long resetAfterMicros,
            boolean degraded) {
        this(allowed, remaining, retryAfterMicros, delayMicros, resetAfterMicros, 0, degraded);
    }

    /** Creates a decision of the store, which is not degraded, without a debt. */
    public Decision(boolean allowed, long remaining, long retryAfterMicros, long delayMicros, long resetAfterMicros) {
        this(allowed, remaining, retryAfterMicros, delayMicros, resetAfterMicros, false);
    }

    /** The decision of the limit {@code unlimited}. */
    public static final Decision UNLIMITED = new Decision(true, Long.MAX_VALUE, 0, 0, 0);

    /** The decision of the limit {@code blocked}. */
    public static final Decision BLOCKED = new Decision(false, 0, NEVER, 0, 0);

    /** Creates a decision that allows the request. */
    public static Decision allowed(long remaining, long delayMicros, long resetAfterMicros) {
        return new Decision(true, remaining, 0, delayMicros, resetAfterMicros);
    }

    /** Creates a decision that denies the request. */
    public static Decision denied(long remaining, long retryAfterMicros, long resetAfterMicros) {
        return new Decision(false, remaining, retryAfterMicros, 0, resetAfterMicros);
    }

    /** This decision, marked as made without the store, which alone knows the debt. */
    public Decision asDegraded() {
        return new Decision(allowed, remaining, retryAfterMicros, delayMicros, resetAfterMicros, true);
    }

    /**
     * This decision for a caller that needs its permits at once: if it must wait for a {@linkplain #delay() delay}, it is denied
     * until the delay is over.
     */
    public Decision withoutDelay() {
        return allowed && delayMicros > 0
                ? new Decision(false, remaining, delayMicros, 0, resetAfterMicros, debt, degraded)
                : this;
    }

    /** Whether the request can never be allowed, because it asks for more permits than the limit can ever give. */
    public boolean never() {
        return retryAfterMicros == NEVER;
    }

    /** {@link #retryAfterMicros()} as a duration. {@link ChronoUnit#FOREVER} if the request can {@linkplain #never() never} be allowed. */
    public Duration retryAfter() {
        return never() ? ChronoUnit.FOREVER.getDuration() : Exact.duration(retryAfterMicros);
    }

    /** {@link #delayMicros()} as a duration. */
    public Duration delay() {
        return Exact.duration(delayMicros);
    }

    /** {@link #resetAfterMicros()} as a duration. */
    public Duration resetAfter() {
        return Exact.duration(resetAfterMicros);
    }

    /** The decision of two limits together: in every field the stricter of both. */
    public Decision and(Decision other) {
        boolean both = allowed && other.allowed;
        return new Decision(
                both,
                Math.min(remaining, other.remaining),
                Math.max(retryAfterMicros, other.retryAfterMicros),
                both ? Math.max(delayMicros, other.delayMicros) : 0,
                Math.max(resetAfterMicros, other.resetAfterMicros),
                Math.max(debt, other.debt),
                degraded || other.degraded);
    }
}
