package io.sluice.memory.keys;

/*
 * A key that was heavy when it was scanned becomes light as time passes, without any event. But the time is known, if there
 * are no other requests. So the keys that have become light can be counted without a second scan. The times are counted in
 * intervals. An interval is longer the further away it is, by at most a sixteenth of its distance. An interval that has
 * begun counts as over. So the true number is never higher than the result.
 */
/** Counts how many of the heavy keys in a scan may have become light since. Not thread-safe. */
final class HeavyKeyForecast {
    /** The bits of the index within one doubling of the distance: each doubling has 16 intervals. */
    private static final int BITS = 4;

    private static final int MAX_SHIFT = Long.SIZE - 2 - BITS;

    private final long since;
    private final int[] counts = new int[(MAX_SHIFT << BITS) + (2 << BITS)];

    /** The first interval that has not begun, and the number of keys in the intervals before it. */
    private int ahead;

    private long passed;

    /** @param since the time from which distances are measured */
    HeavyKeyForecast(long since) {
        this.since = since;
    }

    /** Counts a key that will be light at a time. */
    void add(long lightAt) {
        int interval = interval(lightAt);
        if (interval < ahead) {
            passed++;
        } else {
            counts[interval]++;
        }
    }

    /** How many keys may have become light by now. */
    long lightBy(long now) {
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
