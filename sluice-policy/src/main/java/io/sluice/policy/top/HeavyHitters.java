package io.sluice.policy.top;

import io.sluice.policy.TopKey;
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
 * Decisions must not wait for each other. So there are several sketches (stripes), and threads are spread over them. A
 * thread that finds its stripe in use takes the next one. If all are in use, it does not count the key, and only the
 * number of skipped additions is kept.
 *
 * Sketches are merged when they are read. A key may be in some and not in others. Where it is not, its count is at most
 * the sketch's largest lost count. So with L the sum of these over all sketches, a key's count is L + sum(count - lost)
 * over the sketches that have it, and its error L + sum(error - lost). Each sketch's lost count is at most its
 * additions / capacity, so L is at most all additions / capacity: spreading and merging loses no precision.
 *
 * The same merge makes the time window: every stripe has a current sketch and a previous one. A rotation drops the
 * previous one and starts a new one.
 */
/**
 * Counts the most frequent keys since the last rotation but one. Thread-safe; adding never waits.
 *
 * <p>The error of a count is at most additions / capacity, plus the {@linkplain #skipped() skipped} additions.
 */
final class HeavyHitters {
    private static final Comparator<TopKey> BY_COUNT = Comparator.comparingLong(TopKey::count)
            .reversed()
            .thenComparingLong(TopKey::error)
            .thenComparing(TopKey::policy)
            .thenComparing(TopKey::key);

    /** A part of the counts. Only the thread that holds it may use it. */
    static final class Stripe {
        private static final int MIDDLE = 16;

        /** 1 if held. It is in the middle of a block, so that no other stripe shares its cache line. */
        private final AtomicIntegerArray held = new AtomicIntegerArray(32);

        private SpaceSaving current;

        /** The additions since the last rotation. */
        private int additions;

        private SpaceSaving previous;

        Stripe(int capacity) {
            current = new SpaceSaving(capacity);
            previous = new SpaceSaving(capacity);
        }

        private boolean tryHold() {
            return held.getPlain(MIDDLE) == 0 && held.compareAndSet(MIDDLE, 0, 1);
        }

        /** For readers, which may wait. A decision holds a stripe for less than a microsecond. */
        private void hold() {
            while (!tryHold()) {
                LockSupport.parkNanos(1000);
            }
        }

        void release() {
            held.setRelease(MIDDLE, 0);
        }

        /** The number of additions since the last rotation. */
        int additions() {
            return additions;
        }
    }

    private record Key(String policy, String key) {}

    private final Stripe[] stripes;
    private final LongAdder skipped = new LongAdder();
    private volatile long skippedAtLastRotation;
    private volatile long skippedAtRotationBefore;

    /**
     * Creates empty sketches.
     *
     * @param stripes the number of threads that can add at the same time; a power of two
     * @param capacity the number of keys in each sketch
     */
    HeavyHitters(int stripes, int capacity) {
        if (Integer.bitCount(stripes) != 1) {
            throw new IllegalArgumentException("stripes: " + stripes + " (expected: a power of two)");
        }
        this.stripes = new Stripe[stripes];
        for (int i = 0; i < stripes; i++) {
            this.stripes[i] = new Stripe(capacity);
        }
    }

    /** Counts a key once. */
    void add(String policy, String key, int hash) {
        Stripe stripe = tryHold();
        add(stripe, policy, key, hash, 1);
        if (stripe != null) {
            stripe.release();
        }
    }

    /**
     * A stripe to add to, which the caller must {@linkplain Stripe#release release} at once; null if all are in use.
     */
    @Nullable
    Stripe tryHold() {
        int mask = stripes.length - 1;
        int first = (int) Thread.currentThread().getId();
        for (int i = 0; i <= mask; i++) {
            Stripe stripe = stripes[(first + i) & mask];
            if (stripe.tryHold()) {
                return stripe;
            }
        }
        return null;
    }

    /**
     * Counts a key several times, in a stripe that the caller holds. Without a stripe, the additions count as skipped.
     */
    void add(@Nullable Stripe stripe, String policy, String key, int hash, int times) {
        if (stripe == null || !stripe.current.add(policy, key, hash, times)) {
            skipped.add(times);
        } else {
            stripe.additions++;
        }
    }

    /** Makes the current sketches the previous ones, and forgets those. */
    void rotate() {
        for (Stripe stripe : stripes) {
            stripe.hold();
            try {
                SpaceSaving oldest = stripe.previous;
                stripe.previous = stripe.current;
                stripe.current = oldest;
                oldest.clear();
                stripe.additions = 0;
            } finally {
                stripe.release();
            }
        }
        skippedAtRotationBefore = skippedAtLastRotation;
        skippedAtLastRotation = skipped.sum();
    }

    /**
     * The number of additions that were not counted, because all stripes were in use or too many keys had the same
     * hash.
     */
    long skipped() {
        return skipped.sum() - skippedAtRotationBefore;
    }

    /** The maximum error of any count, also of keys that are not listed. */
    long error() {
        long lost = 0;
        for (Stripe stripe : stripes) {
            stripe.hold();
            try {
                lost += stripe.current.lost() + stripe.previous.lost();
            } finally {
                stripe.release();
            }
        }
        return lost + skipped();
    }

    /** The most frequent keys, the most frequent first. */
    List<TopKey> top(int n) {
        if (n < 0) {
            throw new IllegalArgumentException("n: " + n + " (expected: >= 0)");
        }
        Map<Key, TopKey> merged = new HashMap<>();
        long lost = 0;
        for (Stripe stripe : stripes) {
            List<TopKey> now;
            List<TopKey> before;
            long lostNow;
            long lostBefore;
            stripe.hold();
            try {
                now = stripe.current.tops();
                lostNow = stripe.current.lost();
                before = stripe.previous.tops();
                lostBefore = stripe.previous.lost();
            } finally {
                stripe.release();
            }
            merge(merged, now, lostNow);
            merge(merged, before, lostBefore);
            lost += lostNow + lostBefore;
        }
        List<TopKey> all = new ArrayList<>(merged.size());
        for (TopKey top : merged.values()) {
            all.add(plus(top, lost, lost));
        }
        all.sort(BY_COUNT);
        return List.copyOf(all.subList(0, Math.min(n, all.size())));
    }

    private static void merge(Map<Key, TopKey> merged, List<TopKey> tops, long lost) {
        for (TopKey top : tops) {
            merged.merge(
                    new Key(top.policy(), top.key()),
                    plus(top, -lost, -lost),
                    (one, other) -> plus(one, other.count(), other.error()));
        }
    }

    private static TopKey plus(TopKey top, long count, long error) {
        return new TopKey(top.policy(), top.key(), top.count() + count, top.error() + error);
    }
}
