package io.sluice.memory.keys;

import java.util.Queue;

/*
 * Max-min fairness: a limit with few keys keeps all of them, and the limits that want more share the rest evenly. So a
 * flood of keys on one limit takes no key from a limit below its share, and no limit needs a maximum of its own.
 */
/** The number of keys that each limit may have in a full store before its keys are evicted first. Not thread-safe. */
final class FairShare {
    private static final int TABLES_PER_EVICTION = 8;

    private final Queue<KeyTable> tables;
    private final long maxKeys;
    private long share = Long.MAX_VALUE;
    private int evictionsUntilUpdate;

    FairShare(Queue<KeyTable> tables, long maxKeys) {
        this.tables = tables;
        this.maxKeys = maxKeys;
    }

    boolean isExceededBy(KeyTable table) {
        return table.entries.mappingCount() > share;
    }

    /**
     * Computes the share again, but not at every eviction: there may be thousands of tables, and their sizes change slowly.
     * To be called for each eviction.
     *
     * @return whether the share was computed
     */
    boolean update() {
        if (--evictionsUntilUpdate >= 0) {
            return false;
        }
        long[] sizes = tables.stream()
                .mapToLong(table -> table.entries.mappingCount())
                .sorted()
                .toArray();
        share = share(sizes, maxKeys);
        evictionsUntilUpdate = sizes.length / TABLES_PER_EVICTION;
        return true;
    }

    /** @param sizes the number of keys of each table, ascending */
    static long share(long[] sizes, long maxKeys) {
        long left = maxKeys;
        for (int i = 0; i < sizes.length; i++) {
            long each = left / (sizes.length - i);
            if (sizes[i] > each) {
                return each;
            }
            left -= sizes[i];
        }
        return Long.MAX_VALUE;
    }
}
