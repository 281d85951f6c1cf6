package io.sluice;

import io.sluice.exact.Exact;
import java.time.Duration;
import java.time.temporal.ChronoUnit;

/**
 * The answer to one request for permits.
 *
 * @param allowed whether the permits were given
 * @param remaining whole permits that could be taken now, after this decision; 0 while the key is locked out, {@link
 *     Long#MAX_VALUE} if unlimited
 * @param retryAfterMicros 0 if allowed; else the least microseconds after which the same request would be allowed if
 *     nothing else came; {@link #NEVER} if it asks for more than there can ever be
 * @param delayMicros how long to wait before going, for a {@link LeakyBucket}; else 0
 * @param resetAfterMicros the least microseconds until the key is as if never seen, if nothing else came
 * @param degraded whether the store could not be asked, and this is what the limit does then
 */
public record Decision(
        boolean allowed,
        long remaining,
        long retryAfterMicros,
        long delayMicros,
        long resetAfterMicros,
        boolean degraded) {

    /** The {@link #retryAfterMicros()} of a request that can never be allowed. */
    public static final long NEVER = Long.MAX_VALUE;

    /** A decision of the store. */
    public Decision(boolean allowed, long remaining, long retryAfterMicros, long delayMicros, long resetAfterMicros) {
        this(allowed, remaining, retryAfterMicros, delayMicros, resetAfterMicros, false);
    }

    /** The decision of a limit that is unlimited. */
    public static final Decision UNLIMITED = new Decision(true, Long.MAX_VALUE, 0, 0, 0);

    /** The decision of a limit that is blocked. */
    public static final Decision BLOCKED = new Decision(false, 0, NEVER, 0, 0);

    /** The permits were given. */
    public static Decision allowed(long remaining, long delayMicros, long resetAfterMicros) {
        return new Decision(true, remaining, 0, delayMicros, resetAfterMicros);
    }

    /** The permits were not given. */
    public static Decision denied(long remaining, long retryAfterMicros, long resetAfterMicros) {
        return new Decision(false, remaining, retryAfterMicros, 0, resetAfterMicros);
    }

    /** The same answer, marked as not the store's own. */
    public Decision asDegraded() {
        return new Decision(allowed, remaining, retryAfterMicros, delayMicros, resetAfterMicros, true);
    }

    /** Whether this request can never be allowed, because it asks for more than the limit ever has. */
    public boolean never() {
        return retryAfterMicros == NEVER;
    }

    /** {@link #retryAfterMicros()} as a duration; {@link ChronoUnit#FOREVER} if it can {@linkplain #never() never} be. */
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

    /** The answer of two limits that were decided together: the stricter of both in every field. */
    public Decision and(Decision other) {
        boolean both = allowed && other.allowed;
        return new Decision(
                both,
                Math.min(remaining, other.remaining),
                Math.max(retryAfterMicros, other.retryAfterMicros),
                both ? Math.max(delayMicros, other.delayMicros) : 0,
                Math.max(resetAfterMicros, other.resetAfterMicros),
                degraded || other.degraded);
    }
}
