package io.sluice.memory.state;

/** A ring buffer of entries, each a mark (a time or a slot number) and a count. Marks ascend. It grows and shrinks. */
final class Ring {
    private static final int MIN_ENTRIES = 4;
    private static final int WORDS_PER_KEY = 512 / Long.BYTES;

    /** Mark and count of each entry, side by side. The number of entries is a power of two. */
    private long[] entries = new long[2 * MIN_ENTRIES];

    private int first;
    private int size;
    private long total;

    int size() {
        return size;
    }

    /** How many additional keys it counts as: none at the smallest size, else one for each 512 bytes, rounded up. */
    int weight() {
        return entries.length == 2 * MIN_ENTRIES ? 0 : (entries.length + WORDS_PER_KEY - 1) / WORDS_PER_KEY;
    }

    /** The sum of all counts. */
    long total() {
        return total;
    }

    /** The mark of the i-th oldest entry. */
    long mark(int i) {
        return entries[at(i)];
    }

    /** The count of the i-th oldest entry. */
    long count(int i) {
        return entries[at(i) + 1];
    }

    private int at(int i) {
        return 2 * (first + i) & entries.length - 1;
    }

    /** Adds to the newest entry if it has this mark. Otherwise appends an entry. */
    void add(long mark, long count) {
        total += count;
        if (size > 0 && mark(size - 1) == mark) {
            entries[at(size - 1) + 1] += count;
            return;
        }
        if (2 * size == entries.length) {
            resize(2 * entries.length);
        }
        size++;
        entries[at(size - 1)] = mark;
        entries[at(size - 1) + 1] = count;
    }

    /** Whether {@link #dropBelow} and then {@link #add} would change its weight. */
    boolean wouldResize(long oldest, long mark) {
        int dropped = 0;
        while (dropped < size && mark(dropped) < oldest) {
            dropped++;
        }
        boolean shrinks = entries.length > 2 * MIN_ENTRIES && size - dropped < entries.length / 8;
        boolean full = dropped == 0 && 2 * size == entries.length;
        return shrinks || (full && mark(size - 1) != mark);
    }

    /** The sum of the counts whose mark is lower. */
    long totalBelow(long mark) {
        long below = 0;
        for (int i = 0; i < size && mark(i) < mark; i++) {
            below += count(i);
        }
        return below;
    }

    /** Removes the entries whose mark is lower. */
    void dropBelow(long mark) {
        while (size > 0 && mark(0) < mark) {
            total -= count(0);
            first++;
            size--;
        }
        if (entries.length > 2 * MIN_ENTRIES && size < entries.length / 8) {
            resize(entries.length / 2);
        }
    }

    /** Keeps the newest entries only that together exceed a sum. All others do not matter as long as these count. */
    void keepNewest(long sum) {
        while (size > 1 && total - count(0) > sum) {
            total -= count(0);
            first++;
            size--;
        }
    }

    /** Subtracts from the newest entries, at most what they hold. */
    void takeNewest(long count) {
        long rest = Math.min(count, total);
        total -= rest;
        while (rest > 0) {
            int newest = at(size - 1) + 1;
            if (entries[newest] > rest) {
                entries[newest] -= rest;
                return;
            }
            rest -= entries[newest];
            size--;
        }
    }

    /** Subtracts from the entry with this mark, at most what it holds. Returns false if there is none. */
    boolean takeFrom(long mark, long count) {
        int i = size - 1;
        while (i >= 0 && mark(i) > mark) {
            i--;
        }
        if (i < 0 || mark(i) < mark) {
            return false;
        }
        long rest = Math.min(count, count(i));
        total -= rest;
        entries[at(i) + 1] -= rest;
        if (count(i) == 0) {
            size--;
            for (int later = i; later < size; later++) {
                entries[at(later)] = mark(later + 1);
                entries[at(later) + 1] = count(later + 1);
            }
        }
        return true;
    }

    void copy(Ring other) {
        entries = other.entries.clone();
        first = other.first;
        size = other.size;
        total = other.total;
    }

    private void resize(int length) {
        long[] resized = new long[length];
        for (int i = 0; i < size; i++) {
            resized[2 * i] = mark(i);
            resized[2 * i + 1] = count(i);
        }
        entries = resized;
        first = 0;
    }
}
