package io.sluice.memory.keys;

import io.sluice.TimeSource;
import io.sluice.memory.state.ActiveLimit;
import io.sluice.memory.state.DecisionTime;
import io.sluice.memory.state.GiveBackNote;
import io.sluice.memory.state.State;
import org.jspecify.annotations.Nullable;

/**
 * The record of permits taken from one key of one limit, by which exactly these can be given back.
 *
 * @param table the table of the key
 * @param generation the generation of the key: if the key was removed since, there is nothing to give back
 * @param taken a copy of the use, which drains like the key itself
 * @param begin the note from which the receipt reads what others gave back
 */
public record Receipt(KeyTable table, int generation, State taken, GiveBackNote begin) {

    /** A receipt for permits just taken from a locked key. Null if the limit has no state. */
    public static @Nullable Receipt of(LockedKey locked, long permits) {
        if (locked.entry == null || permits == 0) {
            return null;
        }
        State state = locked.requireState();
        return new Receipt(locked.table, locked.entry.generation(), state.receipt(permits), state.beginReceipt());
    }

    /** Makes tentatively taken permits final. */
    public void keep(String key, long permits) {
        LockedKey locked = table.lockExisting(key);
        removeTentative(locked, permits);
        locked.unlock();
    }

    private void removeTentative(LockedKey locked, long permits) {
        if (permits > 0 && locked.entry != null && locked.entry.generation() == generation) {
            locked.requireState().addTentative(-permits);
        }
    }

    /**
     * Gives the permits back, as far as they have not drained.
     *
     * @param tentative how many of them were noted as tentative
     */
    public void giveBack(String key, long permits, long tentative, TimeSource time) {
        giveBack(key, permits, tentative, time, (state, receipt, t) -> state.cancel(receipt, permits, t));
    }

    /** Gives a part of the permits back to where it came from, as far as it has not drained. */
    public void undo(String key, long permits, long part, TimeSource time) {
        if (part > 0) {
            giveBack(key, permits, 0, time, (state, receipt, t) -> state.undo(receipt, permits, part, t));
        }
    }

    private interface GiveBack {
        void from(State state, State receipt, long t);
    }

    private void giveBack(String key, long permits, long tentative, TimeSource time, GiveBack giveBack) {
        LockedKey locked = table.lockExisting(key);
        removeTentative(locked, tentative);
        DecisionTime moment = new DecisionTime(time);
        State receipt = locked.entry == null || locked.entry.generation() != generation
                ? null
                : currentUse(locked.active, permits, moment);
        if (receipt != null) {
            locked.readTime(moment);
            giveBack.from(locked.requireState(), receipt, locked.t());
            table.useReduced(key);
        }
        locked.unlock();
    }

    /** The receipt under the present limit of the key, after all give-backs. Null if nothing is left of it. */
    private @Nullable State currentUse(ActiveLimit present, long permits, DecisionTime moment) {
        State receipt = taken;
        for (GiveBackNote note = begin.next(); note != null && receipt != null; note = note.next()) {
            if (note.endsReceipts) {
                return null;
            }
            State left = note.left;
            receipt = left == null ? receipt : converted(receipt, left.active, permits, moment);
            if (receipt != null && left != null && left.usesLessThan(receipt)) {
                receipt = left;
            }
        }
        return receipt == null ? null : converted(receipt, present, permits, moment);
    }

    private static @Nullable State converted(State state, ActiveLimit active, long permits, DecisionTime moment) {
        State converted = state;
        while (converted != null && converted.active != active) {
            State before = converted;
            ActiveLimit next = before.active.next();
            // A limit that a call carried has no next one, and the time of its replacement is not known.
            converted = next == null
                    ? before.convert(active, moment.on(before.active), moment.on(active))
                    : before.convert(next);
            converted = converted == null ? null : converted.asReceipt(permits, before);
        }
        return converted;
    }
}
