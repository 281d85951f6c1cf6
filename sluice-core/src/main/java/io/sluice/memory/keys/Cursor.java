package io.sluice.memory.keys;

import java.util.Queue;
import org.jspecify.annotations.Nullable;

/** Goes round all keys of all spaces, one at a time, for ever. Not thread-safe. */
final class Cursor {
    private final Queue<Space> spaces;
    private Round round;

    Cursor(Queue<Space> spaces) {
        this.spaces = spaces;
        this.round = new Round(spaces);
    }

    /** The next key; null if there is none. */
    Round.@Nullable Stop next() {
        Round.Stop stop = round.next();
        if (stop == null) {
            round = new Round(spaces);
            stop = round.next();
        }
        return stop;
    }
}
