package io.sluice.memory.keys;

import io.sluice.memory.state.KeyUsage;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** The eviction candidates among the keys of one limit. The group whose key is evicted first sorts first. Not thread-safe. */
final class CandidateGroup implements Comparable<CandidateGroup> {
    final KeyTable table;
    private final TreeSet<EvictionCandidate> candidates = new TreeSet<>();

    /** Whether the limit has more keys than its fair share. */
    private boolean overFairShare;

    private @Nullable EvictionCandidate first;
    private @Nullable EvictionCandidate last;

    CandidateGroup(KeyTable table, boolean overFairShare) {
        this.table = table;
        this.overFairShare = overFairShare;
    }

    int size() {
        return candidates.size();
    }

    @Nullable
    EvictionCandidate first() {
        return first;
    }

    boolean isOverFairShare() {
        return overFairShare;
    }

    void setOverFairShare(boolean over) {
        overFairShare = over;
    }

    /** Whether a key with that use would come before the last candidate. */
    boolean isBeforeLast(KeyUsage usage) {
        return last == null || !last.isBefore(usage);
    }

    void add(EvictionCandidate candidate) {
        candidates.add(candidate);
        first = first == null || candidate.compareTo(first) < 0 ? candidate : first;
        last = last == null || candidate.compareTo(last) > 0 ? candidate : last;
    }

    @Nullable
    EvictionCandidate pollFirst() {
        EvictionCandidate polled = candidates.pollFirst();
        updateEnds();
        return polled;
    }

    @Nullable
    EvictionCandidate pollLast() {
        EvictionCandidate polled = candidates.pollLast();
        updateEnds();
        return polled;
    }

    private void updateEnds() {
        first = candidates.isEmpty() ? null : candidates.first();
        last = candidates.isEmpty() ? null : candidates.last();
    }

    /** Light keys first. Then keys of limits with more than their fair share. Then keys that have used less. */
    @Override
    public int compareTo(CandidateGroup other) {
        EvictionCandidate mine = first;
        EvictionCandidate others = other.first;
        if (mine == null || others == null) {
            int byEmpty = Boolean.compare(mine == null, others == null);
            return byEmpty != 0 ? byEmpty : Integer.compare(table.id, other.table.id);
        }
        if (mine.isLight() != others.isLight()) {
            return mine.isLight() ? -1 : 1;
        }
        if (overFairShare != other.overFairShare) {
            return overFairShare ? -1 : 1;
        }
        int byUse = mine.compareTo(others);
        return byUse != 0 ? byUse : Integer.compare(table.id, other.table.id);
    }
}
