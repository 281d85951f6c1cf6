package io.sluice;

import org.jspecify.annotations.Nullable;

/**
 * What was taken of one key of one limit, so that exactly that can be given back.
 *
 * @param space where
 * @param cell the cell that was charged: if the key was forgotten since, there is nothing to give back
 * @param taken remembers the use by itself, so that time works on it as on the key
 */
record Receipt(Space space, Cell cell, State taken) {

    /** For what a hold has just taken; null if the limit keeps no state. */
    static @Nullable Receipt of(Hold hold, long permits) {
        return hold.cell == null || permits == 0
                ? null
                : new Receipt(hold.space, hold.cell, hold.requireState().receipt(permits));
    }

    void giveBack(String key, long permits, TimeSource time) {
        Hold hold = space.look(key);
        State receipt = hold.cell == null ? null : under(hold);
        if (receipt != null) {
            hold.arrive(new Moment(time));
            hold.requireState().cancel(receipt, permits, hold.t());
        }
        hold.release();
    }

    /** The receipt under the key's present terms; null if the key is not the one that was charged. */
    private @Nullable State under(Hold hold) {
        if (taken.terms == hold.terms) {
            return cell == hold.cell ? taken : null;
        }
        State receipt = taken;
        while (receipt != null && receipt.terms != hold.terms) {
            Terms next = receipt.terms.next();
            receipt = next == null ? null : receipt.convert(next);
        }
        return receipt;
    }
}
