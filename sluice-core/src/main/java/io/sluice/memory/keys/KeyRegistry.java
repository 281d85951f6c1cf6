package io.sluice.memory.keys;

import io.sluice.TimeSource;
import java.lang.ref.WeakReference;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.ReentrantLock;

/*
 * A key that is fresh again carries no information, so it is removed. A sweep visits all keys, slice by slice, on the
 * timer's thread. It runs less often while it finds nothing, and it locks one key at a time. When the store is full, the
 * Evictor removes keys. A removed key that was not fresh counts as evicted, because it comes back fresh too early.
 *
 * A new key is used first. Only then is there one key too many, because the use of the new key counts as well. Nothing
 * here ever waits for a key, because a caller that makes room may hold locks on other keys.
 */
/** All keys of a store: counts them, removes fresh ones, and evicts keys when the store is full. Thread-safe. */
public final class KeyRegistry {
    private static final long NEXT_SLICE_MICROS = 50_000;
    private static final long MIN_SWEEP_MICROS = 1_000_000;
    private static final long MAX_SWEEP_MICROS = 64_000_000;
    private static final int SLICE_KEYS = 4096;

    private final TimeSource time;
    private final AtomicInteger numbers = new AtomicInteger();
    private final KeyCount count;
    private final AtomicBoolean sweeping = new AtomicBoolean();

    /** Written under {@link #lock}. */
    private volatile long evictions;

    /** A queue, because a store with thousands of limiters may add and remove many tables at once. */
    private final Queue<KeyTable> tables = new ConcurrentLinkedQueue<>();

    /** Guards the sweep and the evictor. */
    private final ReentrantLock lock = new ReentrantLock();

    private final RepeatingKeyScan sweepScan = new RepeatingKeyScan(tables);
    private final Evictor evictor;

    public KeyRegistry(KeyCount count, TimeSource time) {
        this.time = time;
        this.count = count;
        this.evictor = new Evictor(tables, count, time);
    }

    /** Adds a table to the sweep and returns its number. */
    int register(KeyTable table) {
        tables.add(table);
        return numbers.getAndIncrement();
    }

    public long max() {
        return count.max();
    }

    public long size() {
        return count.size();
    }

    public long evictions() {
        return evictions;
    }

    /** To be called after a key was added, while it is locked. {@link #makeRoom} must follow after the unlock. */
    void added(KeyTable table, String key) {
        evictor.keyChanged(table, key);
        count.added();
        if (!sweeping.get() && sweeping.compareAndSet(false, true)) {
            scheduleSweep(new WeakReference<>(this), time, MIN_SWEEP_MICROS);
        }
    }

    /** Notes that a key counts as that many keys more than before. Negative for fewer. */
    void addWeight(int more) {
        count.addWeight(more);
    }

    /** Notes that permits were given back to a key. */
    void useReduced(KeyTable table, String key) {
        evictor.keyChanged(table, key);
    }

    void limitsChanged() {
        evictor.limitsChanged();
    }

    /** To be called before a key is removed from its table. {@link #afterRemoval} must follow. */
    void beforeRemoval() {
        count.beforeRemoval();
    }

    void afterRemoval(boolean removed) {
        count.afterRemoval(removed);
    }

    /** Counts an eviction of a key that was not fresh. */
    @SuppressWarnings("NonAtomicVolatileUpdate") // under the lock
    void evicted() {
        evictions++;
    }

    /** Evicts keys if there are too many. */
    void makeRoom() {
        if (count.isFull() || evictor.hasChangedKeys()) {
            lock.lock();
            try {
                evictor.makeRoom();
            } finally {
                lock.unlock();
            }
        }
    }

    private static void scheduleSweep(WeakReference<KeyRegistry> registry, TimeSource time, long micros) {
        // The timer must not keep an abandoned store alive.
        time.schedule(micros, () -> {
            KeyRegistry swept = registry.get();
            if (swept != null) {
                long before = swept.size();
                swept.sweep();
                if (swept.size() == 0) {
                    swept.sweeping.set(false);
                } else if (swept.size() < before) {
                    scheduleSweep(registry, time, before > SLICE_KEYS ? NEXT_SLICE_MICROS : MIN_SWEEP_MICROS);
                } else {
                    scheduleSweep(registry, time, Math.min(2 * micros, MAX_SWEEP_MICROS));
                }
            }
        });
    }

    private void sweep() {
        // A short slice, because the same thread wakes waiters.
        for (long i = Math.min(size(), SLICE_KEYS); i > 0; i--) {
            lock.lock();
            try {
                KeyScan.Item next = sweepScan.next();
                if (next == null) {
                    break;
                }
                next.table().sweep(next.key(), next.entry());
            } finally {
                lock.unlock();
            }
        }
        if (count.hasPlentyOfSpace()) {
            lock.lock();
            try {
                evictor.reset();
            } finally {
                lock.unlock();
            }
        }
    }
}
