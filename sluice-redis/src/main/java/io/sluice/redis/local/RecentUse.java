package io.sluice.redis.local;

/** Counts what was used within a time, rounded up to a sixteenth of that time. */
final class RecentUse {
    private static final int SLOTS = 16;

    private final long slotMicros;

    /** By the number of the slot; one more than fill the time, because the oldest has only partly passed. */
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
