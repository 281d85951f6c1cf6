package io.sluice.memory.keys;

import java.util.Queue;
import org.jspecify.annotations.Nullable;

/** Scans all keys of all tables, again and again. Not thread-safe. */
final class RepeatingKeyScan {
    private final Queue<KeyTable> tables;
    private KeyScan scan;

    RepeatingKeyScan(Queue<KeyTable> tables) {
        this.tables = tables;
        this.scan = new KeyScan(tables);
    }

    /** The next key. Null if there is none. */
    KeyScan.@Nullable Item next() {
        KeyScan.Item item = scan.next();
        if (item == null) {
            scan = new KeyScan(tables);
            item = scan.next();
        }
        return item;
    }
}
