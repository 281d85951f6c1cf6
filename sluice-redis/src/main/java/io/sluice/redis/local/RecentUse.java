package io.sluice.redis.local;

/** Counts the permits that were used within a period, which is rounded up to a sixteenth. */
final class RecentUse {
    private static final int SLOTS = 16;

    private final long slotMicros;

    /** The counts of slots. There is one slot more than fit in the period, because the oldest slot is only partly in it. */
    private final long[] counts = new long[SLOTS + 1];

    private long newest = Long.MIN_VALUE;

    RecentUse(long micros) {
        slotMicros = Math.max(1, -Math.floorDiv(-micros, SLOTS));
    }

    void add(long permits, long now) {
        moveTo(now);
        counts[place(newest)] += permits;
    }

    long at(long now) {
        moveTo(now);
        long sum = 0;
        for (long count : counts) {
            sum += count;
        }
        return sum;
    }

    private void moveTo(long now) {
        long number = Math.floorDiv(now, slotMicros);
        if (number - counts.length > newest) {
            newest = number - counts.length;
        }
        while (newest < number) {
            counts[place(++newest)] = 0;
        }
    }

    private int place(long number) {
        return (int) Math.floorMod(number, (long) counts.length);
    }
}
