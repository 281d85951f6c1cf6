package io.sluice;

import java.lang.ref.WeakReference;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.ReentrantLock;

/*
 * A key that time has made fresh again is worth nothing, so it is dropped: a cursor goes round all keys, slice by
 * slice (less often while it finds nothing), off the callers' threads, and never holds more than one key. When the store
 * is full, a key near to fresh makes room; if it was still in use it is counted as evicted, because it comes back fresh
 * too early.
 *
 * Nothing here ever waits for a key: a caller that makes room may be holding other keys.
 */
/** How many keys a store has, and when they have to go. */
final class Keys {
    private static final long SWEEP_NEXT_SLICE_MICROS = 50_000;
    private static final long SWEEP_SOONEST_MICROS = 1_000_000;
    private static final long SWEEP_LATEST_MICROS = 64_000_000;
    private static final int SLICE = 4096;

    private final long maxKeys;
    private final TimeSource time;
    private final AtomicInteger numbers = new AtomicInteger();
    private final AtomicLong size = new AtomicLong();
    private final AtomicLong evictions = new AtomicLong();
    private final AtomicBoolean sweeping = new AtomicBoolean();

    /** Guards the cursor's going and the evictor. */
    private final ReentrantLock lock = new ReentrantLock();

    private final Cursor cursor = new Cursor();
    private final Evictor evictor;

    Keys(long maxKeys, TimeSource time) {
        this.maxKeys = maxKeys;
        this.time = time;
        this.evictor = new Evictor(cursor, time);
    }

    /** Takes a space into the round, and gives it its number. */
    int watch(Space space) {
        cursor.add(space);
        return numbers.getAndIncrement();
    }

    long size() {
        return size.get();
    }

    long evictions() {
        return evictions.get();
    }

    void removed() {
        size.decrementAndGet();
    }

    /** Counts a key that is about to be added; another goes if there are too many. */
    void makeRoom() {
        if (size.incrementAndGet() > maxKeys) {
            lock.lock();
            try {
                if (evictor.evict()) {
                    evictions.incrementAndGet();
                }
            } finally {
                lock.unlock();
            }
        }
        if (!sweeping.get() && sweeping.compareAndSet(false, true)) {
            scheduleSweep(new WeakReference<>(this), time, SWEEP_SOONEST_MICROS);
        }
    }

    private static void scheduleSweep(WeakReference<Keys> keys, TimeSource time, long micros) {
        // The timer must not keep an abandoned store alive.
        time.schedule(micros, () -> {
            Keys swept = keys.get();
            if (swept != null) {
                long before = swept.size();
                swept.sweep();
                if (swept.size() == 0) {
                    swept.sweeping.set(false);
                } else if (swept.size() < before) {
                    scheduleSweep(keys, time, before > SLICE ? SWEEP_NEXT_SLICE_MICROS : SWEEP_SOONEST_MICROS);
                } else {
                    scheduleSweep(keys, time, Math.min(2 * micros, SWEEP_LATEST_MICROS));
                }
            }
        });
    }

    private void sweep() {
        // Short, because waiters are woken on the same thread.
        for (long i = Math.min(size(), SLICE); i > 0; i--) {
            lock.lock();
            try {
                Cursor.Stop stop = cursor.next();
                if (stop == null) {
                    return;
                }
                stop.space().sweep(stop.key(), stop.cell());
            } finally {
                lock.unlock();
            }
        }
    }
}
