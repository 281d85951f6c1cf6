package io.sluice.policy.top;

import io.sluice.policy.TopKey;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/*
 * The Space-Saving algorithm (Metwally, Agrawal, El Abbadi 2005). There are m counters. A key with a counter increments
 * it. When all counters are taken, a new key takes over the counter with the least count and increments it. The key may
 * have been added before, but not more often than the count that it took over; that count is its error. Every addition
 * increments one counter by one, so the sum of the counts is the number of additions N, and the least of m counts is at
 * most N / m. So no error is larger than N / m, and each key that was added more often than N / m has a counter.
 *
 * To find the least count, other implementations keep heaps or lists of buckets, and each addition pays for the order.
 * Here nothing is ordered. The least count never decreases. A cursor walks over the counters and gives away those that
 * have the least count. When it has passed the last one, all counts are larger, and a pass over all counters finds the
 * new least. A pass costs m steps, and the least grows with each pass. Since it stays below N / m, all passes together
 * cost at most N steps, one per addition.
 *
 * Keys are found by a hash table of chains of indexes. A client can send many keys with equal hash codes. So a chain
 * that is longer than any likely one is not walked to its end: the addition is refused, and the caller counts it as
 * skipped.
 */
/** Counts the most frequent keys in a fixed amount of memory. Not thread-safe. */
final class SpaceSaving {
    private static final int MAX_CHAIN = 32;
    private static final int NONE = -1;

    private final int[] chains;
    private final int[] next;
    private final int[] hashes;
    private final String[] policies;
    private final String[] keys;
    private final long[] counts;
    private final long[] errors;

    private int size;
    private int cursor;

    /** No count is less than this, once all counters are taken. */
    private long least = 1;

    /** The largest count of a key that lost its counter: no key without a counter was added more often. */
    private long lost;

    SpaceSaving(int capacity) {
        if (capacity < 1) {
            throw new IllegalArgumentException("capacity: " + capacity + " (expected: > 0)");
        }
        chains = new int[Integer.highestOneBit(capacity) << 2];
        Arrays.fill(chains, NONE);
        next = new int[capacity];
        hashes = new int[capacity];
        policies = new String[capacity];
        keys = new String[capacity];
        counts = new long[capacity];
        errors = new long[capacity];
    }

    /**
     * A hash whose lowest bits depend on all bits of both texts. It is cheap, because strings cache their hash codes.
     */
    static int hash(String policy, String key) {
        int hash = (31 * policy.hashCode() + key.hashCode()) * 0x9E3779B9;
        return hash ^ (hash >>> 15);
    }

    /**
     * Counts a key once.
     *
     * @param hash the {@link #hash} of policy and key
     * @return false if the key was not counted, because too many keys have this hash
     */
    boolean add(String policy, String key, int hash) {
        return add(policy, key, hash, 1);
    }

    /** Counts a key several times. */
    boolean add(String policy, String key, int hash, int times) {
        int chain = hash & (chains.length - 1);
        int steps = 0;
        for (int i = chains[chain]; i != NONE; i = next[i]) {
            if (hashes[i] == hash && keys[i].equals(key) && policies[i].equals(policy)) {
                counts[i] += times;
                return true;
            }
            if (++steps == MAX_CHAIN) {
                return false;
            }
        }
        int counter = size < keys.length ? size++ : takeLeast();
        errors[counter] = counts[counter];
        counts[counter] += times;
        policies[counter] = policy;
        keys[counter] = key;
        hashes[counter] = hash;
        next[counter] = chains[chain];
        chains[chain] = counter;
        return true;
    }

    /** Takes the counter with the least count away from its key. */
    private int takeLeast() {
        while (true) {
            while (cursor < counts.length) {
                int counter = cursor++;
                if (counts[counter] == least) {
                    unchain(counter);
                    lost = least;
                    return counter;
                }
            }
            cursor = 0;
            least = Long.MAX_VALUE;
            for (long count : counts) {
                least = Math.min(least, count);
            }
        }
    }

    private void unchain(int counter) {
        int chain = hashes[counter] & (chains.length - 1);
        if (chains[chain] == counter) {
            chains[chain] = next[counter];
            return;
        }
        int before = chains[chain];
        while (next[before] != counter) {
            before = next[before];
        }
        next[before] = next[counter];
    }

    /** The maximum count of a key that is not in {@link #tops()}. */
    long lost() {
        return lost;
    }

    /** All keys that have a counter, in no order. */
    List<TopKey> tops() {
        List<TopKey> tops = new ArrayList<>(size);
        for (int i = 0; i < size; i++) {
            tops.add(new TopKey(policies[i], keys[i], counts[i], errors[i]));
        }
        return tops;
    }

    /** Forgets everything. */
    void clear() {
        Arrays.fill(chains, NONE);
        Arrays.fill(policies, 0, size, null);
        Arrays.fill(keys, 0, size, null);
        Arrays.fill(counts, 0, size, 0);
        size = 0;
        cursor = 0;
        least = 1;
        lost = 0;
    }
}
