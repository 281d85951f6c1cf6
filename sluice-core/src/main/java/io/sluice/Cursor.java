package io.sluice;

import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;

/** Goes round all keys of all spaces, one at a time, for ever. Adding and removing spaces is thread-safe; going is not. */
final class Cursor {
    /** A key at which the cursor stood. */
    record Stop(Space space, String key, Cell cell) {}

    private final List<Space> spaces = new CopyOnWriteArrayList<>();
    private int nextSpace;
    private @Nullable Space space;
    private @Nullable Iterator<Map.Entry<String, Cell>> entries;

    void add(Space space) {
        spaces.add(space);
    }

    /** The next key; null if there is none. */
    @Nullable
    Stop next() {
        for (int tried = 0; tried <= spaces.size(); tried++) {
            if (space != null && entries != null && entries.hasNext()) {
                Map.Entry<String, Cell> entry = entries.next();
                return new Stop(space, entry.getKey(), entry.getValue());
            }
            Object[] now = spaces.toArray();
            if (now.length == 0) {
                return null;
            }
            nextSpace %= now.length;
            space = (Space) now[nextSpace++];
            if (space.isRetired() && space.cells.isEmpty()) {
                spaces.remove(space);
            }
            entries = space.cells.entrySet().iterator();
        }
        return null;
    }
}
