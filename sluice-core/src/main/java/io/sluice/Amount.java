package io.sluice;

/**
 * A non-negative number of permits, exactly: whole ones, and a part of one in units of a {@link Rate}.
 *
 * @param whole whole permits
 * @param part units, less than {@link Rate#permit()}
 */
record Amount(long whole, long part) {
    static final Amount ZERO = new Amount(0, 0);

    boolean isZero() {
        return whole == 0 && part == 0;
    }

    /** Whole permits, rounded up. */
    long up() {
        return whole + (part > 0 ? 1 : 0);
    }

    Amount plus(long permits) {
        return new Amount(whole + permits, part);
    }

    /** The smaller of this and so many whole permits. */
    Amount atMost(long permits) {
        return whole >= permits ? new Amount(permits, 0) : this;
    }
}
