package io.sluice.policy.match;

import io.sluice.policy.JsonText;
import io.sluice.policy.KeyPart;
import io.sluice.policy.LimitOverride;
import io.sluice.policy.Policy;
import io.sluice.policy.Reserve;
import java.util.Arrays;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The attributes that policies use, each with a slot number. A request's attributes are looked up once, into an array
 * by slot. Immutable.
 */
public final class AttributeSlots {
    /** The only attribute whose values are {@linkplain PathNormaliser#normalise normalised}. */
    static final String PATH = "path";

    private static final int NONE = -1;

    private final String[] names;
    private final Map<String, Integer> slots;
    private final int path;

    AttributeSlots(Collection<String> names) {
        this.names = names.stream().distinct().toArray(String[]::new);
        this.slots = new HashMap<>();
        for (int i = 0; i < this.names.length; i++) {
            slots.put(this.names[i], i);
        }
        this.path = slots.getOrDefault(PATH, NONE);
    }

    /** All attributes in the matches and keys of these policies. */
    public static AttributeSlots of(List<Policy> policies) {
        Set<String> names = new LinkedHashSet<>();
        for (Policy policy : policies) {
            names.addAll(policy.match().conditions().keySet());
            for (KeyPart part : policy.key()) {
                names.add(part.attribute());
            }
            for (LimitOverride override : policy.overrides()) {
                names.addAll(override.match().conditions().keySet());
            }
            Reserve reserve = policy.reserve();
            if (reserve != null) {
                names.addAll(reserve.match().conditions().keySet());
            }
        }
        return new AttributeSlots(names);
    }

    /** The names of the attributes. */
    public Set<String> names() {
        return Collections.unmodifiableSet(slots.keySet());
    }

    /** The index of the attribute in {@link #values}. */
    int slot(String name) {
        Integer slot = slots.get(name);
        if (slot == null) {
            throw new IllegalArgumentException(
                    "attribute: " + JsonText.quoted(name) + " (expected: one of " + Arrays.toString(names) + ")");
        }
        return slot;
    }

    /** The values of a request, by slot; null for an attribute that the request does not have. */
    @Nullable
    public String[] values(Map<String, String> request) {
        @Nullable String[] values = new @Nullable String[names.length];
        for (int i = 0; i < names.length; i++) {
            values[i] = request.get(names[i]);
        }
        if (path >= 0) {
            String raw = values[path];
            values[path] = raw == null ? null : PathNormaliser.normalise(raw);
        }
        return values;
    }

    /** The attributes that a request has, by name. */
    public Map<String, String> present(@Nullable String[] values) {
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
