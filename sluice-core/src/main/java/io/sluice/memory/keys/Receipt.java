package io.sluice.memory.keys;

import io.sluice.TimeSource;
import io.sluice.memory.state.GiveBack;
import io.sluice.memory.state.Moment;
import io.sluice.memory.state.State;
import io.sluice.memory.state.Terms;
import org.jspecify.annotations.Nullable;

/**
 * What was taken of one key of one limit, so that exactly that can be given back.
 *
 * @param space where
 * @param life the life of the key that was charged: if the key was forgotten since, there is nothing to give back
 * @param taken remembers the use by itself, so that time works on it as on the key
 * @param begin where the notes of what others gave back begin
 */
public record Receipt(Space space, int life, State taken, GiveBack begin) {

    /** For what a hold has just taken; null if the limit keeps no state. */
    public static @Nullable Receipt of(Hold hold, long permits) {
        if (hold.cell == null || permits == 0) {
            return null;
        }
        State state = hold.requireState();
        return new Receipt(hold.space, hold.cell.life(), state.receipt(permits), state.beginReceipt());
    }

    /** What was taken stays taken: it is not held any more. */
    public void keep(String key, long permits) {
        Hold hold = space.look(key);
        release(hold, permits);
        hold.release();
    }

    private void release(Hold hold, long held) {
        if (held > 0 && hold.cell != null && hold.cell.life() == life) {
            hold.requireState().holdMore(-held);
        }
    }

    /** @param held how much of it was noted as held */
    public void giveBack(String key, long permits, long held, TimeSource time) {
        Hold hold = space.look(key);
        release(hold, held);
        Moment moment = new Moment(time);
        State receipt = hold.cell == null || hold.cell.life() != life ? null : under(hold.terms, moment);
        if (receipt != null) {
            hold.arrive(moment);
            hold.requireState().cancel(receipt, permits, hold.t());
            space.lightened(key);
        }
        hold.release();
    }

    /** The receipt under the key's present terms, after all that others gave back; null if nothing is left of it. */
    private @Nullable State under(Terms present, Moment moment) {
        State receipt = taken;
        for (GiveBack note = begin.next(); note != null && receipt != null; note = note.next()) {
            State left = note.left;
            receipt = left == null ? receipt : converted(receipt, left.terms, moment);
            if (receipt != null && left != null && left.isLessThan(receipt)) {
                receipt = left;
            }
        }
        return receipt == null ? null : converted(receipt, present, moment);
    }

    private static @Nullable State converted(State state, Terms terms, Moment moment) {
        State converted = state;
        while (converted != null && converted.terms != terms) {
            Terms old = converted.terms;
            Terms next = old.next();
            // Terms that came with a call have no next ones, and nobody knows when others came.
            converted =
                    next == null ? converted.convert(terms, moment.on(old), moment.on(terms)) : converted.convert(next);
        }
        return converted;
    }
}
