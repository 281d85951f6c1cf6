package io.sluice.memory.state;

/** Counts with a mark each (a time, or the number of a slot), marks ascending; grows and shrinks with what it holds. */
final class Ring {
    private static final int SMALLEST = 4;
    private static final int WORDS_OF_A_KEY = 512 / Long.BYTES;

    /** Mark and count of each entry, side by side; a power of two of entries, used as a circle. */
    private long[] entries = new long[2 * SMALLEST];

    private int first;
    private int size;
    private long total;

    int size() {
        return size;
    }

    /** As how many keys more it counts: none at its smallest, then one for each 512 bytes or part of them. */
    int weight() {
        return entries.length == 2 * SMALLEST ? 0 : (entries.length + WORDS_OF_A_KEY - 1) / WORDS_OF_A_KEY;
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

    /** Adds to the newest entry if that has this mark, else as a new one. */
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

    /** The sum of the counts with marks below. */
    long totalBelow(long mark) {
        long below = 0;
        for (int i = 0; i < size && mark(i) < mark; i++) {
            below += count(i);
        }
        return below;
    }

    /** Forgets the entries with marks below. */
    void dropBelow(long mark) {
        while (size > 0 && mark(0) < mark) {
            total -= count(0);
            first++;
            size--;
        }
        if (entries.length > 2 * SMALLEST && size < entries.length / 8) {
            resize(entries.length / 2);
        }
    }

    /** Takes from the newest entries, as far as there is something. */
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
