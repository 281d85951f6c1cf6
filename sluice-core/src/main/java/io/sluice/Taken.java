package io.sluice;

import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;

/** What {@link MemoryStore#take} took. */
public final class Taken {
    private final Decisions decisions;
    private final List<MemoryReservation> reservations;
    private final AtomicBoolean cancelled = new AtomicBoolean();

    Taken(Decisions decisions, List<MemoryReservation> reservations) {
        this.decisions = decisions;
        this.reservations = reservations;
    }

    /** How the charges were decided. */
    public Decisions decisions() {
        return decisions;
    }

    /** Gives back exactly what is still unused. Only the first call does anything. */
    public void cancel() {
        if (cancelled.compareAndSet(false, true)) {
            reservations.forEach(Reservation::cancel);
        }
    }
}
