package io.sluice;

import org.jspecify.annotations.Nullable;

/**
 * What was taken of one key of one limit, so that exactly that can be given back.
 *
 * @param space where
 * @param life the life of the key that was charged: if the key was forgotten since, there is nothing to give back
 * @param taken remembers the use by itself, so that time works on it as on the key
 */
record Receipt(Space space, int life, State taken) {

    /** For what a hold has just taken; null if the limit keeps no state. */
    static @Nullable Receipt of(Hold hold, long permits) {
        return hold.cell == null || permits == 0
                ? null
                : new Receipt(hold.space, hold.cell.life(), hold.requireState().receipt(permits));
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
        State receipt = hold.requireCell().life() == life ? taken : null;
        while (receipt != null && receipt.terms != hold.terms) {
            Terms next = receipt.terms.next();
            receipt = next == null ? null : receipt.convert(next);
        }
        return receipt;
    }
}
