package io.sluice.policy.top;

import io.sluice.policy.TopKey;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/*
 * The Space-Saving algorithm (Metwally, Agrawal, El Abbadi 2005). There are m counters. A key that has one raises it; a
 * new key, when all are taken, inherits the counter with the least count and raises that: it may have been there before,
 * but not more often than the count it took over, which is noted as its error. Every addition raises one counter by one,
 * so the counts sum up to the additions N, and the least of m counts is at most N / m: no error is larger, and each key
 * that came more often than N / m has a counter.
 *
 * Which counter has the least count? Others keep heaps or lists of buckets, and each addition pays for the order. Here
 * nothing is ordered. The least count only ever rises; a cursor walks over the counts, giving away those that equal it.
 * When it has passed the last one, all are above, and a pass finds the new least. A pass costs m steps, and the least
 * rises with each: since it stays below N / m, all passes together cost at most N steps, one per addition.
 *
 * Keys are found by a hash table of chains of indexes. Anybody can send keys with equal hash codes, so a chain longer than
 * chance would ever make it is not walked to its end: the addition is refused, and its caller counts that.
 */
/** Counts the keys that come most often, in little memory. Not thread-safe. */
final class SpaceSaving {
    private static final int LONGEST_CHAIN = 32;
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

    /** No count is less, once all counters are taken. */
    private long least = 1;

    /** The largest count that a key had when it lost its counter: no key without a counter came more often. */
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

    /** A hash whose lowest bits depend on all of both; strings remember theirs, so this is cheap. */
    static int hash(String policy, String key) {
        int hash = (31 * policy.hashCode() + key.hashCode()) * 0x9E3779B9;
        return hash ^ (hash >>> 15);
    }

    /**
     * Counts a key.
     *
     * @param hash of both
     * @return false if it was not counted, because too many keys have such a hash
     */
    boolean add(String policy, String key, int hash) {
        return add(policy, key, hash, 1);
    }

    /** Counts a key that came so often. */
    boolean add(String policy, String key, int hash, int times) {
        int chain = hash & (chains.length - 1);
        int steps = 0;
        for (int i = chains[chain]; i != NONE; i = next[i]) {
            if (hashes[i] == hash && keys[i].equals(key) && policies[i].equals(policy)) {
                counts[i] += times;
                return true;
            }
            if (++steps == LONGEST_CHAIN) {
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

    /** How often a key that is not among the {@link #tops()} may have come. */
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
