package io.sluice.cli.simulate.report;

import io.sluice.policy.PolicyResult;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/*
 * A trace may have more keys than fit in memory, and the report shows only the keys with most changes. So when the table is
 * full, it drops the half with the fewest changes and adds the largest dropped count to "missing". The count of a key that
 * comes later, or comes back, may be too low by up to that number. A key that is not in the table has at most that many
 * changes.
 */
/** Counts changes by key. The counts are exact unless too many keys change. */
final class ChangedKeys {
    private static final Comparator<Entry> MOST_FIRST = Comparator.<Entry>comparingLong(
                    entry -> entry.change().total())
            .reversed()
            .thenComparing(entry -> entry.key().policy())
            .thenComparing(entry -> entry.key().values().toString());

    private final int maxKeys;
    private final long maxCharacters;
    private final Map<Key, ChangeCount> changes = new HashMap<>();
    private long characters;
    private long missing;

    /** A policy and the values of its key. */
    record Key(String policy, Map<String, String> values) {
        long characters() {
            long sum = policy.length();
            for (Map.Entry<String, String> value : values.entrySet()) {
                sum += value.getKey().length() + value.getValue().length();
            }
            return sum;
        }
    }

    record Entry(Key key, ChangeCount change) {}

    /**
     * @param maxKeys the maximum number of keys
     * @param maxCharacters the maximum length of all keys together
     */
    ChangedKeys(int maxKeys, long maxCharacters) {
        this.maxKeys = maxKeys;
        this.maxCharacters = maxCharacters;
    }

    void count(PolicyResult result, boolean allowedNow) {
        Key key = new Key(result.policy(), result.key());
        ChangeCount change = changes.get(key);
        if (change == null) {
            change = new ChangeCount();
            changes.put(key, change);
            characters += key.characters();
        }
        change.count(allowedNow);
        if (changes.size() > maxKeys || characters > maxCharacters) {
            dropHalf();
        }
    }

    private void dropHalf() {
        List<Entry> sorted = sorted();
        for (Entry entry : sorted.subList(sorted.size() / 2, sorted.size())) {
            changes.remove(entry.key());
            characters -= entry.key().characters();
        }
        missing += sorted.get(sorted.size() / 2).change().total();
    }

    private List<Entry> sorted() {
        return changes.entrySet().stream()
                .map(entry -> new Entry(entry.getKey(), entry.getValue()))
                .sorted(MOST_FIRST)
                .toList();
    }

    /** The keys with the most changes. */
    List<Entry> top(int count) {
        return sorted().stream().limit(count).toList();
    }

    /** The number of keys in the table. */
    int size() {
        return changes.size();
    }

    /** By how much a count may be too low; 0 if all counts are exact. */
    long missing() {
        return missing;
    }
}
