package io.sluice.policy.match;

import java.util.AbstractMap;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The values of a key by its parts, computed when they are first read. Most decisions are allowed, and their keys are
 * never read.
 */
final class LazyKeyMap extends AbstractMap<String, String> {
    private final KeyFormat key;
    private final @Nullable String[] values;
    private @Nullable Map<String, String> computed;

    LazyKeyMap(KeyFormat key, @Nullable String[] values) {
        this.key = key;
        this.values = values;
    }

    /** Two threads at the same time compute equal maps. */
    @Override
    public Set<Entry<String, String>> entrySet() {
        Map<String, String> shown = computed;
        if (shown == null) {
            shown = key.computeDisplay(values);
            computed = shown;
        }
        return shown.entrySet();
    }
}
