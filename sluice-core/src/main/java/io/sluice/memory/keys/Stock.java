package io.sluice.memory.keys;

import io.sluice.memory.state.Standing;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/*
 * A tournament: each limit's candidates are in order on a shelf, and the shelves are in order by their first. So a limit
 * that comes to have more than its fair share moves with all its candidates.
 */
/** The best candidates of one round, and what is known of all the other keys. Not thread-safe. */
final class Stock {
    private final int most;
    private final FairShare fairShare;
    private final Dwindling heavy;
    private final Map<Space, Shelf> shelves = new HashMap<>();

    /** Those that are not empty. */
    private final TreeSet<Shelf> order = new TreeSet<>();

    /** The shelf from which something is left out if there is too much. */
    private @Nullable Shelf fullest;

    private int size;

    /** Whether there were more light keys than are remembered. */
    private boolean lightLeftOut;

    /**
     * @param most how many are remembered
     * @param now when the round begins
     */
    Stock(int most, FairShare fairShare, long now) {
        this.most = most;
        this.fairShare = fairShare;
        this.heavy = new Dwindling(now);
    }

    /** Remembers a key, or not if there are enough that go sooner. */
    void add(Space space, String key, Standing standing, long number) {
        Shelf shelf = shelves.computeIfAbsent(space, absent -> new Shelf(space, fairShare.isExceededBy(space)));
        if (size >= most && shelf == fullest && !shelf.isBeforeLast(standing)) {
            lightLeftOut |= standing.isLight();
            return;
        }
        Candidate candidate = new Candidate(space, key, standing.share(), standing.last(), number);
        Candidate first = shelf.first();
        if (first == null || candidate.compareTo(first) < 0) {
            order.remove(shelf);
            shelf.add(candidate);
            order.add(shelf);
        } else {
            shelf.add(candidate);
        }
        size++;
        if (fullest == null || shelf.size() > fullest.size()) {
            fullest = shelf;
        }
        if (size > most) {
            leaveOut(fullest);
        }
    }

    private void leaveOut(Shelf shelf) {
        if (shelf.size() == 1) {
            order.remove(shelf);
        }
        Candidate left = shelf.pollLast();
        lightLeftOut |= left != null && left.isLight();
        size--;
    }

    /** Notes that a key is heavy, or cannot be looked at, until then. */
    void noteHeavy(long until) {
        heavy.add(until);
    }

    /** How many keys may be light by now that are not among the candidates. */
    long unknownLight(long now) {
        return lightLeftOut ? Long.MAX_VALUE : heavy.by(now);
    }

    /** The best; null if there is none. */
    @Nullable
    Candidate first() {
        return order.isEmpty() ? null : order.first().first();
    }

    /** Whether the best of this one goes before the best of the other. */
    boolean isBetterThan(Stock other) {
        return !order.isEmpty() && (other.order.isEmpty() || order.first().compareTo(other.order.first()) <= 0);
    }

    /** Takes the best out. */
    void removeFirst() {
        Shelf shelf = order.pollFirst();
        if (shelf != null) {
            shelf.pollFirst();
            size--;
            if (shelf.size() > 0) {
                order.add(shelf);
            }
        }
    }

    /** Puts the shelves in order by who has more than a fair share now. */
    void follow() {
        shelves.values().forEach(this::follow);
    }

    /** Whether the first shelf is in its right place. */
    boolean isInOrder() {
        return order.isEmpty() || !follow(order.first());
    }

    /** Whether it had to be moved. */
    private boolean follow(Shelf shelf) {
        boolean over = fairShare.isExceededBy(shelf.space);
        if (shelf.isOverFairShare() == over) {
            return false;
        }
        boolean ordered = order.remove(shelf);
        shelf.setOverFairShare(over);
        if (ordered) {
            order.add(shelf);
        }
        return true;
    }
}
