package io.sluice.memory.state;

import org.jspecify.annotations.Nullable;

/*
 * A receipt says what a reservation's use would be worth if only time had worked on it since. But what lay before it may
 * have been given back as well, and then it drains sooner. So every give-back leaves a note of what was left, linked from
 * the one before; a receipt remembers where it stood and reads on from there. A key remembers the newest note only, so
 * those that no receipt can reach any more vanish by themselves, and a key without reservations has none.
 */
/** What was left of a key's use after something was given back. Only touched under the key's hold. */
public final class GiveBack {
    /** Null in the note with which the first receipt begins. */
    public final @Nullable State left;

    private @Nullable GiveBack next;

    GiveBack(@Nullable State left) {
        this.left = left;
    }

    @Nullable
    public GiveBack next() {
        return next;
    }

    /** Links the next note. */
    GiveBack then(State left) {
        GiveBack newer = new GiveBack(left);
        next = newer;
        return newer;
    }
}
