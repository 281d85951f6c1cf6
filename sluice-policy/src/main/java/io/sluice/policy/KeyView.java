package io.sluice.policy;

import java.util.AbstractMap;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The values of a key by its parts, made when somebody looks: most decisions are allowed, and nobody does. */
final class KeyView extends AbstractMap<String, String> {
    private final KeyText key;
    private final @Nullable String[] values;
    private @Nullable Map<String, String> made;

    KeyView(KeyText key, @Nullable String[] values) {
        this.key = key;
        this.values = values;
    }

    /** Threads that meet here make the same. */
    @Override
    public Set<Entry<String, String>> entrySet() {
        Map<String, String> shown = made;
        if (shown == null) {
            shown = key.shown(values);
            made = shown;
        }
        return shown.entrySet();
    }
}
