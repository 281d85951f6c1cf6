package io.sluice.memory.keys;

import io.sluice.memory.state.KeyUsage;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/*
 * A tournament. The candidates of each limit form a sorted group, and the groups are sorted by their first candidate. So
 * when a limit exceeds its fair share, all its candidates move together.
 */
/** The best eviction candidates of one scan, and what is known of all other keys. Not thread-safe. */
final class EvictionCandidates {
    private final int max;
    private final FairShare fairShare;
    private final HeavyKeyForecast heavyKeys;
    private final Map<KeyTable, CandidateGroup> groups = new HashMap<>();

    /** The groups that are not empty. */
    private final TreeSet<CandidateGroup> order = new TreeSet<>();

    /** The largest group: it loses its last candidate when there are too many. */
    private @Nullable CandidateGroup largest;

    private int size;

    /** Whether some light keys did not fit. */
    private boolean lightKeysOmitted;

    /**
     * @param max how many candidates are kept
     * @param now when the scan begins
     */
    EvictionCandidates(int max, FairShare fairShare, long now) {
        this.max = max;
        this.fairShare = fairShare;
        this.heavyKeys = new HeavyKeyForecast(now);
    }

    /** Adds a key, unless there are enough candidates that are better. */
    void add(KeyTable table, String key, KeyUsage usage, long number) {
        CandidateGroup group =
                groups.computeIfAbsent(table, absent -> new CandidateGroup(table, fairShare.isExceededBy(table)));
        if (size >= max && group == largest && !group.isBeforeLast(usage)) {
            lightKeysOmitted |= usage.isLight();
            return;
        }
        EvictionCandidate candidate = new EvictionCandidate(table, key, usage.percent(), usage.lastUsed(), number);
        EvictionCandidate first = group.first();
        if (first == null || candidate.compareTo(first) < 0) {
            order.remove(group);
            group.add(candidate);
            order.add(group);
        } else {
            group.add(candidate);
        }
        size++;
        if (largest == null || group.size() > largest.size()) {
            largest = group;
        }
        if (size > max) {
            omitLast(largest);
        }
    }

    private void omitLast(CandidateGroup group) {
        if (group.size() == 1) {
            order.remove(group);
        }
        EvictionCandidate omitted = group.pollLast();
        lightKeysOmitted |= omitted != null && omitted.isLight();
        size--;
    }

    /** Notes that a key is heavy, or locked by another thread, until a time. */
    void noteHeavy(long until) {
        heavyKeys.add(until);
    }

    /** How many keys outside the candidates may be light by now. */
    long unknownLight(long now) {
        return lightKeysOmitted ? Long.MAX_VALUE : heavyKeys.lightBy(now);
    }

    /** The best candidate. Null if there is none. */
    @Nullable
    EvictionCandidate first() {
        return order.isEmpty() ? null : order.first().first();
    }

    /** Whether the best candidate here is evicted before the best of the other. */
    boolean isBetterThan(EvictionCandidates other) {
        return !order.isEmpty() && (other.order.isEmpty() || order.first().compareTo(other.order.first()) <= 0);
    }

    /** Removes the best candidate. */
    void removeFirst() {
        CandidateGroup group = order.pollFirst();
        if (group != null) {
            group.pollFirst();
            size--;
            if (group.size() > 0) {
                order.add(group);
            }
        }
    }

    /** Sorts the groups again, after the fair share has changed. */
    void updateFairShare() {
        groups.values().forEach(this::updateFairShare);
    }

    /** Whether the first group has the right position. If not, it is moved. */
    boolean isInOrder() {
        return order.isEmpty() || !updateFairShare(order.first());
    }

    /** Returns whether the group was moved. */
    private boolean updateFairShare(CandidateGroup group) {
        boolean over = fairShare.isExceededBy(group.table);
        if (group.isOverFairShare() == over) {
            return false;
        }
        boolean ordered = order.remove(group);
        group.setOverFairShare(over);
        if (ordered) {
            order.add(group);
        }
        return true;
    }
}
