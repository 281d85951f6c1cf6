package io.sluice.memory.keys;

import io.sluice.memory.state.Cell;
import java.util.Collections;
import java.util.Iterator;
import java.util.Map;
import java.util.Queue;
import org.jspecify.annotations.Nullable;

/** Goes once over all keys of all spaces: every key that is there all the time is met. Not thread-safe. */
final class Round {
    /** A key at which it stood. */
    record Stop(Space space, String key, Cell cell) {}

    private final Iterator<Space> spaces;
    private @Nullable Space space;
    private Iterator<Map.Entry<String, Cell>> entries = Collections.emptyIterator();

    Round(Queue<Space> spaces) {
        this.spaces = spaces.iterator();
    }

    /** The next key; null if that was the last. */
    @Nullable
    Stop next() {
        while (space == null || !entries.hasNext()) {
            if (!spaces.hasNext()) {
                return null;
            }
            space = spaces.next();
            if (space.isRetired() && space.cells.isEmpty()) {
                spaces.remove();
            }
            entries = space.cells.entrySet().iterator();
        }
        Map.Entry<String, Cell> entry = entries.next();
        return new Stop(space, entry.getKey(), entry.getValue());
    }
}
