package io.sluice.memory.keys;

import io.sluice.TimeSource;
import java.lang.ref.WeakReference;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.ReentrantLock;

/*
 * A key that time has made fresh again is worth nothing, so it is dropped: a cursor goes round all keys, slice by
 * slice (less often while it finds nothing), off the callers' threads, and never holds more than one key. When the store
 * is full, others make room (see Evictor); one that was still in use is counted as evicted, because it comes back fresh
 * too early.
 *
 * A new key is used first and then there is one too many, because how much it has used counts as well. Nothing here ever
 * waits for a key: a caller that makes room may be holding other keys.
 */
/** The keys of a store, and when they have to go. */
public final class Keys {
    private static final long SWEEP_NEXT_SLICE_MICROS = 50_000;
    private static final long SWEEP_SOONEST_MICROS = 1_000_000;
    private static final long SWEEP_LATEST_MICROS = 64_000_000;
    private static final int SLICE = 4096;

    private final TimeSource time;
    private final AtomicInteger numbers = new AtomicInteger();
    private final KeyCount count;
    private final AtomicBoolean sweeping = new AtomicBoolean();

    /** Written under the lock. */
    private volatile long evictions;

    /** A queue, because a store with thousands of limiters gets and loses many of them at once. */
    private final Queue<Space> spaces = new ConcurrentLinkedQueue<>();

    /** Guards the cursor and the evictor. */
    private final ReentrantLock lock = new ReentrantLock();

    private final Cursor cursor = new Cursor(spaces);
    private final Evictor evictor;

    public Keys(KeyCount count, TimeSource time) {
        this.time = time;
        this.count = count;
        this.evictor = new Evictor(spaces, count, time);
    }

    /** Takes a space into the round, and gives it its number. */
    int watch(Space space) {
        spaces.add(space);
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

    /** A key was added, and is still held. {@link #makeRoom} has to follow after that. */
    void added(Space space, String key) {
        evictor.arrived(space, key);
        count.added();
        if (!sweeping.get() && sweeping.compareAndSet(false, true)) {
            scheduleSweep(new WeakReference<>(this), time, SWEEP_SOONEST_MICROS);
        }
    }

    /** A key counts as so many more than before, or fewer. */
    void weigh(int more) {
        count.weigh(more);
    }

    /** Something was given back to a key. */
    void lightened(Space space, String key) {
        evictor.arrived(space, key);
    }

    void limitsChanged() {
        evictor.limitsChanged();
    }

    /** Before a key is removed from its space; {@link #left} has to follow. */
    void leaving() {
        count.leaving();
    }

    void left(boolean removed) {
        count.left(removed);
    }

    /** A key was evicted that was still in use. */
    @SuppressWarnings("NonAtomicVolatileUpdate") // under the lock
    void evicted() {
        evictions++;
    }

    /** Lets keys go if there are too many. */
    void makeRoom() {
        if (count.isFull() || evictor.hasArrivals()) {
            lock.lock();
            try {
                evictor.makeRoom();
            } finally {
                lock.unlock();
            }
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
                Round.Stop stop = cursor.next();
                if (stop == null) {
                    break;
                }
                stop.space().sweep(stop.key(), stop.cell());
            } finally {
                lock.unlock();
            }
        }
        if (count.hasPlenty()) {
            lock.lock();
            try {
                evictor.rest();
            } finally {
                lock.unlock();
            }
        }
    }
}
