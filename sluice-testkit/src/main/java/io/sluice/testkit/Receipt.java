package io.sluice.testkit;

import io.sluice.Limit;

/**
 * What tells how much of a reservation is still unused.
 *
 * @param permits how many were taken
 * @param charged when
 * @param after the use right after that, which falls as if nothing newer came
 */
record Receipt(long permits, long charged, Use after) {
    /** Others gave something back: no more than what that left is still before or in this charge. */
    Receipt atMost(Use left, long micros) {
        boolean less = after.lends() && left.at(micros).compareTo(after.at(micros)) < 0;
        return less ? new Receipt(permits, charged, left) : this;
    }

    Fraction left(Use now, long micros) {
        return after.left(permits, charged, now, micros);
    }

    /** The receipt as it is when the limit is updated, converted as a state is. */
    Receipt carriedTo(Limit next, Use now, long micros) {
        long time = Math.max(charged, micros);
        if (after.at(time).signum() == 0) {
            return new Receipt(0, time, Use.none(next));
        }
        Use carried = after.carriedTo(next, time);
        if (after.keptUnder(next, time).isPresent()) {
            return new Receipt(permits, charged, carried);
        }
        long left = left(now, time).ceil().min(carried.most()).longValueExact();
        return new Receipt(left, time, carried);
    }
}
