package io.sluice;

import java.lang.ref.WeakReference;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/*
 * A key that time has made fresh again is worth nothing, so it is dropped: a cursor goes round all keys, a slice every
 * second (less often while it finds nothing), off the callers' threads, and never holds more than one key. When the store is full, the cursor's next few keys
 * are a sample, and the one nearest to fresh makes room; a key that was still in use is counted as evicted, because it
 * comes back fresh too early.
 *
 * Nothing here ever waits for a key: a caller that makes room may be holding other keys.
 */
/** How many keys a store has, and which of them have to go. */
final class Keys {
    private static final long SWEEP_SOONEST_MICROS = 1_000_000;
    private static final long SWEEP_LATEST_MICROS = 64_000_000;
    private static final int SMALLEST_SLICE = 1024;
    private static final int LARGEST_SLICE = 65_536;
    private static final int ROUND = 8;
    private static final int SAMPLE = 16;

    private final long maxKeys;
    private final TimeSource time;
    private final List<Space> spaces = new CopyOnWriteArrayList<>();
    private final AtomicInteger numbers = new AtomicInteger();
    private final AtomicLong size = new AtomicLong();
    private final AtomicLong evictions = new AtomicLong();
    private final AtomicBoolean sweeping = new AtomicBoolean();

    private final ReentrantLock cursor = new ReentrantLock();
    private int nextSpace;
    private @Nullable Space space;
    private @Nullable Iterator<Map.Entry<String, Cell>> entries;

    Keys(long maxKeys, TimeSource time) {
        this.maxKeys = maxKeys;
        this.time = time;
    }

    /** Takes a space into the round, and gives it its number. */
    int watch(Space space) {
        spaces.add(space);
        return numbers.getAndIncrement();
    }

    /** A space that is no longer used. */
    void forget(Space space) {
        spaces.remove(space);
        size.addAndGet(-space.cells.size());
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
            evictOne();
        }
        if (!sweeping.get() && sweeping.compareAndSet(false, true)) {
            scheduleSweep(new WeakReference<>(this), time, SWEEP_SOONEST_MICROS);
        }
    }

    private void evictOne() {
        cursor.lock();
        try {
            for (int attempt = 0; attempt < ROUND; attempt++) {
                Candidate best = nearestToFresh();
                if (best != null && best.space().evict(best.key(), best.cell())) {
                    if (best.freshIn() > 0) {
                        evictions.incrementAndGet();
                    }
                    return;
                }
            }
        } finally {
            cursor.unlock();
        }
    }

    private record Candidate(Space space, String key, Cell cell, long freshIn) {}

    private @Nullable Candidate nearestToFresh() {
        Candidate best = null;
        for (int i = 0; i < SAMPLE && (best == null || best.freshIn() > 0); i++) {
            Map.Entry<String, Cell> entry = next();
            if (entry == null || space == null) {
                break;
            }
            long freshIn = entry.getValue().freshIn(time);
            if (freshIn < Long.MAX_VALUE && (best == null || freshIn < best.freshIn())) {
                best = new Candidate(space, entry.getKey(), entry.getValue(), freshIn);
            }
        }
        return best;
    }

    /** The cursor's next key, going round all spaces; null if there is none. */
    private Map.@Nullable Entry<String, Cell> next() {
        for (int tried = 0; tried <= spaces.size(); tried++) {
            if (entries != null && entries.hasNext()) {
                return entries.next();
            }
            List<Space> now = List.copyOf(spaces);
            if (now.isEmpty()) {
                return null;
            }
            nextSpace = nextSpace % now.size();
            space = now.get(nextSpace++);
            entries = space.cells.entrySet().iterator();
        }
        return entries != null && entries.hasNext() ? entries.next() : null;
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
                    scheduleSweep(keys, time, SWEEP_SOONEST_MICROS);
                } else {
                    scheduleSweep(keys, time, Math.min(2 * micros, SWEEP_LATEST_MICROS));
                }
            }
        });
    }

    private void sweep() {
        long slice = Math.min(size(), Math.max(SMALLEST_SLICE, Math.min(LARGEST_SLICE, size() / ROUND)));
        for (long i = 0; i < slice; i++) {
            cursor.lock();
            try {
                Map.Entry<String, Cell> entry = next();
                if (entry == null || space == null) {
                    return;
                }
                space.sweep(entry.getKey(), entry.getValue());
            } finally {
                cursor.unlock();
            }
        }
    }
}
