package io.sluice.memory.keys;

/*
 * A key that was heavy when it was looked at becomes light by itself, and nobody is told. But the time is known, if nothing
 * else comes; so how many have become light can be counted without looking at them again. The times are counted in
 * intervals that get longer with the distance, by a sixteenth at most; an interval that has begun counts as over, so it is
 * never fewer than said.
 */
/** Counts how many of the heavy keys that were met may have become light since. Not thread-safe. */
final class Dwindling {
    /** Intervals of each doubling of the distance, and bits of the index among them. */
    private static final int BITS = 4;

    private static final int LONGEST_SHIFT = Long.SIZE - 2 - BITS;

    private final long since;
    private final int[] counts = new int[(LONGEST_SHIFT << BITS) + (2 << BITS)];

    /** The first interval that has not begun, and how many were in those before. */
    private int ahead;

    private long passed;

    /** @param since the time from which distances are measured */
    Dwindling(long since) {
        this.since = since;
    }

    /** Counts a key that will be light at that time. */
    void add(long lightAt) {
        int interval = interval(lightAt);
        if (interval < ahead) {
            passed++;
        } else {
            counts[interval]++;
        }
    }

    /** How many may have become light by now. */
    long by(long now) {
        for (int begun = interval(now); ahead <= begun; ahead++) {
            passed += counts[ahead];
        }
        return passed;
    }

    private int interval(long t) {
        long distance = Math.max(0, t - since);
        if (distance < 1 << BITS) {
            return (int) distance;
        }
        int shift = Long.SIZE - 1 - BITS - Long.numberOfLeadingZeros(distance);
        return (shift << BITS) + (int) (distance >>> shift);
    }
}
