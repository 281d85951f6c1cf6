package io.sluice.memory.state;

import org.jspecify.annotations.Nullable;

/*
 * A receipt tells how much of a reservation's use is left if only time has drained it. But older use may have been given
 * back as well, and then the reservation drains sooner. So every give-back leaves a note with the use that was left, and
 * the previous note links to it. A receipt remembers the note at which it began, and reads on from there. A key refers to
 * the newest note only, so notes that no receipt can reach are garbage. A key without reservations has no notes.
 */
/** The use of a key after a give-back. Touched only under the lock of the key. */
public final class GiveBackNote {
    /** The use that was left. Null in the note at which the first receipt begins. */
    public final @Nullable State left;

    /** Whether nothing is left of all receipts that began before: the key was unused. */
    public final boolean endsReceipts;

    private @Nullable GiveBackNote next;

    GiveBackNote(@Nullable State left) {
        this(left, false);
    }

    private GiveBackNote(@Nullable State left, boolean endsReceipts) {
        this.left = left;
        this.endsReceipts = endsReceipts;
    }

    @Nullable
    public GiveBackNote next() {
        return next;
    }

    /** Links the next note and returns it. */
    GiveBackNote then(State left) {
        return link(new GiveBackNote(left));
    }

    /** Links a note that ends all receipts, and returns it. */
    GiveBackNote thenEnd() {
        return link(new GiveBackNote(null, true));
    }

    private GiveBackNote link(GiveBackNote newer) {
        next = newer;
        return newer;
    }
}
