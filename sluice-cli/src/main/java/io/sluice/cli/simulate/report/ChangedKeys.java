package io.sluice.cli.simulate.report;

import io.sluice.policy.PolicyResult;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/*
 * A trace may have more keys than fit in memory, and only those with most changes are wanted. So when the table is full,
 * the half with fewest changes is forgotten, and it is noted how many changes the largest of these had: so many may be
 * missing from the count of any key that comes, or comes back, later. A key that is in no list had at most as many as are
 * missing.
 */
/** Counts changes by key, exactly as long as not too many keys change. */
final class ChangedKeys {
    private static final Comparator<Entry> MOST_FIRST = Comparator.<Entry>comparingLong(
                    entry -> entry.change().total())
            .reversed()
            .thenComparing(entry -> entry.key().policy())
            .thenComparing(entry -> entry.key().values().toString());

    private final int mostKeys;
    private final long mostCharacters;
    private final Map<Key, ChangeCount> changes = new HashMap<>();
    private long characters;
    private long missing;

    /** A bucket. */
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

    /** Keeps at most so many keys with at most so much text in all. */
    ChangedKeys(int mostKeys, long mostCharacters) {
        this.mostKeys = mostKeys;
        this.mostCharacters = mostCharacters;
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
        if (changes.size() > mostKeys || characters > mostCharacters) {
            forgetHalf();
        }
    }

    private void forgetHalf() {
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

    /** Those with most changes, at most so many. */
    List<Entry> top(int count) {
        return sorted().stream().limit(count).toList();
    }

    /** How many keys are known to have changed. */
    int size() {
        return changes.size();
    }

    /** How many changes any count may be short of; 0 if all are exact. */
    long missing() {
        return missing;
    }
}
