package io.sluice.memory.keys;

import io.sluice.memory.state.Standing;

/**
 * A key that may make room, as it stood when it was looked at; of one limit's keys, what goes first comes first.
 *
 * @param share see {@link Standing#share}
 * @param last see {@link Standing#last}
 * @param number makes those that are alike distinct
 */
record Candidate(Space space, String key, int share, long last, long number) implements Comparable<Candidate> {
    boolean isLight() {
        return share <= Standing.TENTH;
    }

    /** Whether a key that stands like this would go later. */
    boolean isBefore(Standing other) {
        return share < other.share() || (share == other.share() && last < other.last());
    }

    @Override
    public int compareTo(Candidate other) {
        if (share != other.share) {
            return Integer.compare(share, other.share);
        }
        return last != other.last ? Long.compare(last, other.last) : Long.compare(number, other.number);
    }
}
