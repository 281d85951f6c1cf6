package io.sluice.policy;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/*
 * Deciders must not wait for each other, so there are several sketches, and threads are spread over them. A thread that
 * finds its own in use takes the next; if all are in use it goes without counting, and only the number of such is kept.
 *
 * Sketches are merged when they are read. A key may be in some and not in others; where it is not, it came at most as
 * often there as the sketch's largest lost count. So with L the sum of these over all sketches, a key's count is
 * L + sum(count - lost) over the sketches that have it, and its error L + sum(error - lost). Each sketch's lost count is at
 * most its additions / capacity, so L is at most all additions / capacity: spreading and merging loses no precision.
 *
 * The same merge makes the window: every part has a sketch for now and one for before. A turn throws away the latter and
 * starts a new one.
 */
/**
 * Counts the keys that come most often, recently: since the turn before the last. Thread-safe; adding never waits.
 *
 * <p>No count is off by more than the additions / capacity, besides what was {@linkplain #skipped() skipped}.
 */
final class HeavyHitters {
    private static final Comparator<Top> BY_COUNT = Comparator.comparingLong(Top::count)
            .reversed()
            .thenComparingLong(Top::error)
            .thenComparing(Top::policy)
            .thenComparing(Top::key);

    /** A part of the counts, for whoever holds it. */
    static final class Part {
        private static final int MIDDLE = 16;

        /** 1 if held, in the middle of a block: so no other part's is on its cache line, wherever a collector puts it. */
        private final AtomicIntegerArray held = new AtomicIntegerArray(32);

        private SpaceSaving now;

        /** Since the last turn. */
        private int additions;

        private SpaceSaving before;

        Part(int capacity) {
            now = new SpaceSaving(capacity);
            before = new SpaceSaving(capacity);
        }

        private boolean tryHold() {
            return held.getPlain(MIDDLE) == 0 && held.compareAndSet(MIDDLE, 0, 1);
        }

        /** For readers, who may wait; deciders hold a part for less than a microsecond. */
        private void hold() {
            while (!tryHold()) {
                LockSupport.parkNanos(1000);
            }
        }

        void release() {
            held.setRelease(MIDDLE, 0);
        }

        /** How many additions were made since the last turn; for who holds it. */
        int additions() {
            return additions;
        }
    }

    private record Key(String policy, String key) {}

    private final Part[] parts;
    private final LongAdder skipped = new LongAdder();
    private volatile long skippedAtLastTurn;
    private volatile long skippedAtTurnBefore;

    /**
     * Counts nothing yet.
     *
     * @param parts how many can add at the same time; a power of two
     * @param capacity how many keys are told apart
     */
    HeavyHitters(int parts, int capacity) {
        if (Integer.bitCount(parts) != 1) {
            throw new IllegalArgumentException("parts: " + parts + " (expected: a power of two)");
        }
        this.parts = new Part[parts];
        for (int i = 0; i < parts; i++) {
            this.parts[i] = new Part(capacity);
        }
    }

    /** Counts a key. */
    void add(String policy, String key, int hash) {
        Part part = tryHold();
        add(part, policy, key, hash, 1);
        if (part != null) {
            part.release();
        }
    }

    /** A part to add to, to be {@linkplain Part#release released} at once; null if all are in use. */
    @Nullable
    Part tryHold() {
        int mask = parts.length - 1;
        int first = (int) Thread.currentThread().getId();
        for (int i = 0; i <= mask; i++) {
            Part part = parts[(first + i) & mask];
            if (part.tryHold()) {
                return part;
            }
        }
        return null;
    }

    /** Counts a key that came so often, in a part that is held; only that it came, if there is none. */
    void add(@Nullable Part part, String policy, String key, int hash, int times) {
        if (part == null || !part.now.add(policy, key, hash, times)) {
            skipped.add(times);
        } else {
            part.additions++;
        }
    }

    /** What came now is before from now on; what was before is forgotten. */
    void turn() {
        for (Part part : parts) {
            part.hold();
            try {
                SpaceSaving oldest = part.before;
                part.before = part.now;
                part.now = oldest;
                oldest.clear();
                part.additions = 0;
            } finally {
                part.release();
            }
        }
        skippedAtTurnBefore = skippedAtLastTurn;
        skippedAtLastTurn = skipped.sum();
    }

    /** How many additions were not counted, because all parts were in use or too many keys had such a hash. */
    long skipped() {
        return skipped.sum() - skippedAtTurnBefore;
    }

    /** How many more than counted, or fewer, any key may have come, listed or not. */
    long error() {
        long lost = 0;
        for (Part part : parts) {
            part.hold();
            try {
                lost += part.now.lost() + part.before.lost();
            } finally {
                part.release();
            }
        }
        return lost + skipped();
    }

    /** The keys that came most often, the most frequent first. */
    List<Top> top(int n) {
        if (n < 0) {
            throw new IllegalArgumentException("n: " + n + " (expected: >= 0)");
        }
        Map<Key, Top> merged = new HashMap<>();
        long lost = 0;
        for (Part part : parts) {
            List<Top> now;
            List<Top> before;
            long lostNow;
            long lostBefore;
            part.hold();
            try {
                now = part.now.tops();
                lostNow = part.now.lost();
                before = part.before.tops();
                lostBefore = part.before.lost();
            } finally {
                part.release();
            }
            merge(merged, now, lostNow);
            merge(merged, before, lostBefore);
            lost += lostNow + lostBefore;
        }
        List<Top> all = new ArrayList<>(merged.size());
        for (Top top : merged.values()) {
            all.add(plus(top, lost, lost));
        }
        all.sort(BY_COUNT);
        return List.copyOf(all.subList(0, Math.min(n, all.size())));
    }

    private static void merge(Map<Key, Top> merged, List<Top> tops, long lost) {
        for (Top top : tops) {
            merged.merge(
                    new Key(top.policy(), top.key()),
                    plus(top, -lost, -lost),
                    (one, other) -> plus(one, other.count(), other.error()));
        }
    }

    private static Top plus(Top top, long count, long error) {
        return new Top(top.policy(), top.key(), top.count() + count, top.error() + error);
    }
}
