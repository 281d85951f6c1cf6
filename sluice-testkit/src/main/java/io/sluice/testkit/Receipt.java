package io.sluice.testkit;

import io.sluice.Limit;
import io.sluice.testkit.usage.Usage;

/**
 * The record of one reservation, from which a cancel computes the permits that are still unused.
 *
 * @param permits the permits that were taken
 * @param charged the time at which they were taken
 * @param after the usage right after that; it falls as if no newer use came
 */
record Receipt(long permits, long charged, Usage after) {
    /** The receipt after another give-back: this charge and older use cannot be more than that has left. */
    Receipt atMost(Usage left, long micros) {
        boolean less = after.drainsWithOlderUse() && left.at(micros).compareTo(after.at(micros)) < 0;
        return less ? new Receipt(permits, charged, left) : this;
    }

    /** The usage of the key after this charge was cancelled. */
    Usage cancel(Usage now, long micros) {
        return now.cancel(permits, charged, after, micros);
    }

    /** The usage of the key after a part of this charge was undone. */
    Usage undo(long part, Usage now, long micros) {
        return now.undo(Math.min(part, permits), permits, charged, after, micros);
    }

    /** The receipt under a new limit, converted like a state, whatever has happened to the key since. */
    Receipt convertTo(Limit next, long micros) {
        long time = Math.max(charged, micros);
        if (after.isUnused(time)) {
            return new Receipt(0, time, Usage.fresh(next));
        }
        Usage carried = after.convertTo(next, time);
        if (after.convertIfSameKind(next, time).isPresent()) {
            return new Receipt(permits, charged, carried);
        }
        long left = after.left(permits, charged, after, time)
                .ceil()
                .min(carried.max())
                .longValueExact();
        return new Receipt(left, time, carried.asReceipt(left));
    }
}
