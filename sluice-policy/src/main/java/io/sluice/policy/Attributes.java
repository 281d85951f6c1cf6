package io.sluice.policy;

import java.util.Arrays;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The attributes that matter, each with a number, so that what a request says about them is looked up once. Immutable.
 */
final class Attributes {
    /** The one attribute whose values are {@linkplain Paths#normalise normalised}. */
    static final String PATH = "path";

    private static final int NONE = -1;

    private final String[] names;
    private final Map<String, Integer> slots;
    private final int path;

    Attributes(Collection<String> names) {
        this.names = names.stream().distinct().toArray(String[]::new);
        this.slots = new HashMap<>();
        for (int i = 0; i < this.names.length; i++) {
            slots.put(this.names[i], i);
        }
        this.path = slots.getOrDefault(PATH, NONE);
    }

    /** All that some policies match or count by. */
    static Attributes of(List<Policy> policies) {
        Set<String> names = new LinkedHashSet<>();
        for (Policy policy : policies) {
            names.addAll(policy.match().conditions().keySet());
            policy.key().forEach(part -> names.add(part.attribute()));
            policy.overrides()
                    .forEach(override ->
                            names.addAll(override.match().conditions().keySet()));
            Reserve reserve = policy.reserve();
            if (reserve != null) {
                names.addAll(reserve.match().conditions().keySet());
            }
        }
        return new Attributes(names);
    }

    /** Where {@link #values} has the attribute. */
    int slot(String name) {
        Integer slot = slots.get(name);
        if (slot == null) {
            throw new IllegalArgumentException(
                    "attribute: " + Texts.quoted(name) + " (expected: one of " + Arrays.toString(names) + ")");
        }
        return slot;
    }

    /** What a request says about each of them, by slot: null for what it does not have. */
    @Nullable
    String[] values(Map<String, String> request) {
        @Nullable String[] values = new @Nullable String[names.length];
        for (int i = 0; i < names.length; i++) {
            values[i] = request.get(names[i]);
        }
        if (path >= 0) {
            String raw = values[path];
            values[path] = raw == null ? null : Paths.normalise(raw);
        }
        return values;
    }

    /** Those that a request has, by name. */
    Map<String, String> present(@Nullable String[] values) {
        Map<String, String> present = new LinkedHashMap<>();
        for (int i = 0; i < names.length; i++) {
            String value = values[i];
            if (value != null) {
                present.put(names[i], value);
            }
        }
        return present;
    }
}
