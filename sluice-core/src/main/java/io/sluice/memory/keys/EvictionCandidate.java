package io.sluice.memory.keys;

import io.sluice.memory.state.KeyUsage;

/**
 * A key that may be evicted, with its use when it was scanned. Among the keys of one limit, the key to evict first sorts
 * first.
 *
 * @param percent see {@link KeyUsage#percent}
 * @param lastUsed see {@link KeyUsage#lastUsed}
 * @param number makes equal candidates distinct
 */
record EvictionCandidate(KeyTable table, String key, int percent, long lastUsed, long number)
        implements Comparable<EvictionCandidate> {
    boolean isLight() {
        return percent <= KeyUsage.LIGHT_PERCENT;
    }

    /** Whether this candidate would be evicted before a key with the given use. */
    boolean isBefore(KeyUsage other) {
        return percent < other.percent() || (percent == other.percent() && lastUsed < other.lastUsed());
    }

    @Override
    public int compareTo(EvictionCandidate other) {
        if (percent != other.percent) {
            return Integer.compare(percent, other.percent);
        }
        return lastUsed != other.lastUsed ? Long.compare(lastUsed, other.lastUsed) : Long.compare(number, other.number);
    }
}
