package io.sluice.memory.keys;

import io.sluice.memory.state.KeyEntry;
import java.util.Collections;
import java.util.Iterator;
import java.util.Map;
import java.util.Queue;
import org.jspecify.annotations.Nullable;

/** One scan over all keys of all tables. It meets every key that is present during the whole scan. Not thread-safe. */
final class KeyScan {
    /** One key of the scan. */
    record Item(KeyTable table, String key, KeyEntry entry) {}

    private final Iterator<KeyTable> tables;
    private @Nullable KeyTable table;
    private Iterator<Map.Entry<String, KeyEntry>> entries = Collections.emptyIterator();

    KeyScan(Queue<KeyTable> tables) {
        this.tables = tables.iterator();
    }

    /** The next key. Null after the last one. */
    @Nullable
    Item next() {
        while (table == null || !entries.hasNext()) {
            if (!tables.hasNext()) {
                return null;
            }
            table = tables.next();
            if (table.isRetired() && table.entries.isEmpty()) {
                tables.remove();
            }
            entries = table.entries.entrySet().iterator();
        }
        Map.Entry<String, KeyEntry> entry = entries.next();
        return new Item(table, entry.getKey(), entry.getValue());
    }
}
