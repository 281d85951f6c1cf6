package io.sluice;

/**
 * A reservation cannot be settled: it was settled or cancelled before, its time is over, or the store does not know it. Nothing
 * was changed.
 */
public final class ReservationEndedException extends IllegalStateException {
    private static final long serialVersionUID = 1L;

    public ReservationEndedException(String message) {
        super(message);
    }
}
