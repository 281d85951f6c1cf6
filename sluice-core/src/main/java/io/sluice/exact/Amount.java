package io.sluice.exact;

/**
 * An exact, non-negative number of permits: whole permits, and a fraction in units of a {@link Rate}.
 *
 * @param whole whole permits
 * @param part units, less than {@link Rate#unitsPerPermit()}
 */
public record Amount(long whole, long part) {
    public static final Amount ZERO = new Amount(0, 0);

    public boolean isZero() {
        return whole == 0 && part == 0;
    }

    /** The whole permits, rounded up. */
    public long roundedUp() {
        return whole + (part > 0 ? 1 : 0);
    }

    public Amount plus(long permits) {
        return new Amount(whole + permits, part);
    }

    /** The smaller of this amount and a number of whole permits. */
    public Amount atMost(long permits) {
        return whole >= permits ? new Amount(permits, 0) : this;
    }
}
