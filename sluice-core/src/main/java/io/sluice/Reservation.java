package io.sluice;

import java.time.Duration;
import java.util.concurrent.CompletionStage;

/**
 * Permits that were taken ahead of their time: wait {@link #delay()}, then go, or {@link #cancel()}.
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
     * Whether the permits were taken. Buckets give any amount that they can ever hold, if its time comes soon enough;
     * windows only what is there now.
     */
    boolean granted();

    /**
     * How long to wait, from the moment of the reservation, before using the permits.
     *
     * @throws IllegalStateException if not {@linkplain #granted() granted}
     */
    Duration delay();

    /** 0 if granted; else how long until asking again could help, as {@link Decision#retryAfter()}. */
    Duration retryAfter();

    /**
     * Gives back exactly what is still unused: what time has refilled or let slide out of a window since is gone. Only
     * the first call does anything; never gives back more than was reserved.
     */
    void cancel();

    /** {@link #cancel()} without blocking. */
    CompletionStage<Void> cancelAsync();
}
