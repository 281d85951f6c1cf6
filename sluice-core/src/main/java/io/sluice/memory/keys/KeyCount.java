package io.sluice.memory.keys;

import java.util.concurrent.atomic.AtomicLong;

/*
 * Before the evictor removes a heavy key, it must be sure that the store really has too many keys. Other threads add and
 * remove keys at the same time. So the evictor first reads how many keys were ever added, then reads the list of changed
 * keys, and last reads how many keys were ever removed. A thread that adds a key puts it into that list first, then counts
 * it. A thread that removes a key counts it first, then removes it. So the difference is never too high.
 */
/** How many keys a store has and may have. A large key may count as several keys. Thread-safe. */
public final class KeyCount {
    private final long max;
    private final boolean countsWeight;
    private final AtomicLong size = new AtomicLong();
    private final AtomicLong everAdded = new AtomicLong();
    private final AtomicLong everRemoved = new AtomicLong();

    /** How many additional keys the large keys count as. */
    private final AtomicLong extra = new AtomicLong();

    /** @param countsWeight whether large keys count as several */
    public KeyCount(long max, boolean countsWeight) {
        this.max = max;
        this.countsWeight = countsWeight;
    }

    long max() {
        return max;
    }

    long size() {
        return size.get();
    }

    /** Counts a key. To be called after the key was added and the evictor has noted it. */
    void added() {
        size.incrementAndGet();
        everAdded.incrementAndGet();
    }

    /** To be called before a key is removed. {@link #afterRemoval} must follow. */
    void beforeRemoval() {
        everRemoved.incrementAndGet();
    }

    /** @param removed whether the key was still there */
    void afterRemoval(boolean removed) {
        if (removed) {
            size.decrementAndGet();
        } else {
            everRemoved.decrementAndGet();
        }
    }

    /** Notes that a key counts as that many keys more than before. Negative for fewer. */
    void addWeight(int more) {
        if (countsWeight && more != 0) {
            extra.addAndGet(more);
        }
    }

    /** How many keys were ever added. */
    long everAdded() {
        return everAdded.get();
    }

    /**
     * How many keys the store has above its maximum, counting only keys added until a certain point. 0 or less if there are
     * not too many.
     *
     * @param everAdded the value of {@link #everAdded()} at that point
     */
    long excess(long everAdded) {
        return everAdded - everRemoved.get() + extra.get() - max;
    }

    private long total() {
        return size.get() + extra.get();
    }

    boolean isFull() {
        return total() > max;
    }

    /** Whether the evictor should begin to look for candidates. */
    boolean isNearlyFull() {
        return total() >= max - max / 16;
    }

    /** Whether so much space is free that the evictor may stop. */
    boolean hasPlentyOfSpace() {
        return total() < max - max / 8;
    }
}
