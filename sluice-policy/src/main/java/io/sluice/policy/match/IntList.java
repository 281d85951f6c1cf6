package io.sluice.policy.match;

import java.util.Arrays;

/** A growing list of ints, without boxing. Not thread-safe. */
public final class IntList {
    private int[] items = new int[8];
    private int size;

    /** Keeps only the first items. */
    void truncate(int kept) {
        size = Math.min(size, kept);
    }

    void add(int item) {
        if (size == items.length) {
            items = Arrays.copyOf(items, 2 * size);
        }
        items[size++] = item;
    }

    void addAll(int[] more) {
        if (more.length > items.length - size) {
            items = Arrays.copyOf(items, Math.max(2 * items.length, size + more.length));
        }
        // Usually one item or none: a call would take longer than the loop.
        for (int item : more) {
            items[size++] = item;
        }
    }

    void set(int i, int item) {
        items[i] = item;
    }

    public int size() {
        return size;
    }

    public int get(int i) {
        return items[i];
    }

    /** Sorts the items in ascending order, and drops duplicates. */
    void sortAndDropDuplicates() {
        boolean sorted = true;
        for (int i = 1; i < size; i++) {
            sorted &= items[i - 1] < items[i];
        }
        if (sorted) {
            return;
        }
        sort();
        int kept = 1;
        for (int i = 1; i < size; i++) {
            if (items[i] != items[i - 1]) {
                items[kept++] = items[i];
            }
        }
        size = kept;
    }

    /** Insertion sort, because there are usually few items and most are in order. */
    private void sort() {
        if (size > 40) {
            Arrays.sort(items, 0, size);
            return;
        }
        for (int i = 1; i < size; i++) {
            int item = items[i];
            int at = i;
            for (; at > 0 && items[at - 1] > item; at--) {
                items[at] = items[at - 1];
            }
            items[at] = item;
        }
    }

    int[] toArray() {
        return Arrays.copyOf(items, size);
    }
}
