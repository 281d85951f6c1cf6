package io.sluice.memory.keys;

import io.sluice.memory.state.Standing;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** The candidates of one limit's keys; among shelves, the one whose first candidate goes first. Not thread-safe. */
final class Shelf implements Comparable<Shelf> {
    final Space space;
    private final TreeSet<Candidate> candidates = new TreeSet<>();

    /** Whether the limit has more keys than its fair share. */
    private boolean overFairShare;

    private @Nullable Candidate first;
    private @Nullable Candidate last;

    Shelf(Space space, boolean overFairShare) {
        this.space = space;
        this.overFairShare = overFairShare;
    }

    int size() {
        return candidates.size();
    }

    @Nullable
    Candidate first() {
        return first;
    }

    boolean isOverFairShare() {
        return overFairShare;
    }

    void setOverFairShare(boolean over) {
        overFairShare = over;
    }

    /** Whether such a key would not be the last. */
    boolean isBeforeLast(Standing standing) {
        return last == null || !last.isBefore(standing);
    }

    void add(Candidate candidate) {
        candidates.add(candidate);
        first = first == null || candidate.compareTo(first) < 0 ? candidate : first;
        last = last == null || candidate.compareTo(last) > 0 ? candidate : last;
    }

    @Nullable
    Candidate pollFirst() {
        Candidate polled = candidates.pollFirst();
        note();
        return polled;
    }

    @Nullable
    Candidate pollLast() {
        Candidate polled = candidates.pollLast();
        note();
        return polled;
    }

    private void note() {
        first = candidates.isEmpty() ? null : candidates.first();
        last = candidates.isEmpty() ? null : candidates.last();
    }

    /** Light keys before all heavy ones; among those, who has more than a fair share; then what has used less. */
    @Override
    public int compareTo(Shelf other) {
        Candidate mine = first;
        Candidate others = other.first;
        if (mine == null || others == null) {
            int byEmpty = Boolean.compare(mine == null, others == null);
            return byEmpty != 0 ? byEmpty : Integer.compare(space.id, other.space.id);
        }
        if (mine.isLight() != others.isLight()) {
            return mine.isLight() ? -1 : 1;
        }
        if (overFairShare != other.overFairShare) {
            return overFairShare ? -1 : 1;
        }
        int byUse = mine.compareTo(others);
        return byUse != 0 ? byUse : Integer.compare(space.id, other.space.id);
    }
}
