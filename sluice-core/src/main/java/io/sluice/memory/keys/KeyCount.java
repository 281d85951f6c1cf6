package io.sluice.memory.keys;

import java.util.concurrent.atomic.AtomicLong;

/*
 * To evict a heavy key, the evictor must be sure that so many keys are there. Others come and go meanwhile; so it reads how
 * many have come before it hears of the arrivals, and how many have gone at last. Who adds a key tells of it first and
 * counts it then; who removes one counts it first.
 */
/** How many keys a store has, and may have; a large one may count as several. Thread-safe. */
public final class KeyCount {
    private final long max;
    private final boolean weighs;
    private final AtomicLong size = new AtomicLong();
    private final AtomicLong come = new AtomicLong();
    private final AtomicLong gone = new AtomicLong();

    /** How many keys more the large ones count as. */
    private final AtomicLong extra = new AtomicLong();

    /** @param weighs whether large keys count as several */
    public KeyCount(long max, boolean weighs) {
        this.max = max;
        this.weighs = weighs;
    }

    long max() {
        return max;
    }

    long size() {
        return size.get();
    }

    /** After a key was added and told of. */
    void added() {
        size.incrementAndGet();
        come.incrementAndGet();
    }

    /** Before a key is removed; {@link #left} has to follow. */
    void leaving() {
        gone.incrementAndGet();
    }

    /** @param removed whether it was there to be removed */
    void left(boolean removed) {
        if (removed) {
            size.decrementAndGet();
        } else {
            gone.decrementAndGet();
        }
    }

    /** A key counts as so many more than before. */
    void weigh(int more) {
        if (weighs && more != 0) {
            extra.addAndGet(more);
        }
    }

    /** How many keys have ever come. */
    long come() {
        return come.get();
    }

    /** How many of the keys that had come by then are there, more than there may be; 0 or less if none. */
    long tooMany(long come) {
        return come - gone.get() + extra.get() - max;
    }

    private long total() {
        return size.get() + extra.get();
    }

    boolean isFull() {
        return total() > max;
    }

    /** Whether it is time to find out who could make room. */
    boolean isNearlyFull() {
        return total() >= max - max / 16;
    }

    /** Whether there is room for so many more that making room is not the next thing to do. */
    boolean hasPlenty() {
        return total() < max - max / 8;
    }
}
