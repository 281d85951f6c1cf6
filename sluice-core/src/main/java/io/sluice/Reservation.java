package io.sluice;

import java.time.Duration;
import java.util.concurrent.CompletionStage;

/**
 * Permits that were taken ahead of time. If it is {@linkplain #granted() granted}, wait for {@link #delay()} and then use the
 * permits, or {@link #cancel()} it. Thread-safe.
 *
 * <pre>{@code
 * Reservation reservation = limiter.reserve("partner", 3);
 * if (reservation.granted()) {
 *     scheduler.schedule(call, reservation.delay().toNanos(), NANOSECONDS);
 * }
 * }</pre>
 */
public interface Reservation {
    /**
     * Whether the permits were taken. A bucket grants any number of permits up to its capacity, if the delay is acceptable. A
     * window grants only permits that are free now.
     */
    boolean granted();

    /**
     * The time to wait before the permits may be used, from the moment of the reservation.
     *
     * @throws IllegalStateException if the reservation is not {@linkplain #granted() granted}
     */
    Duration delay();

    /** The time until a new attempt may succeed, see {@link Decision#retryAfter()}. 0 if granted. */
    Duration retryAfter();

    /**
     * Gives back the permits of this reservation, as far as they still count as used. Permits that have been refilled since, or
     * that have left the window, are not given back a second time. Only the first call has an effect.
     */
    void cancel();

    /**
     * Replaces the permits of this reservation by those that were really used. If that is more, the rest is taken now, even into
     * debt. If it is less, the rest is given back, as far as it still counts as used.
     *
     * <pre>{@code
     * Reservation reservation = limiter.reserve("acme", estimate);
     * long used = answer(request);
     * reservation.settle(used);
     * }</pre>
     *
     * @param actual the permits that were really used
     * @throws IllegalStateException if the reservation is not {@linkplain #granted() granted}
     * @throws ReservationEndedException if it was settled or cancelled before
     */
    void settle(long actual);

    /** {@link #settle(long)} without blocking. */
    CompletionStage<Void> settleAsync(long actual);

    /** {@link #cancel()} without blocking. */
    CompletionStage<Void> cancelAsync();
}
