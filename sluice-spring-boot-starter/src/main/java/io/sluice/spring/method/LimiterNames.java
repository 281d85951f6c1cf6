package io.sluice.spring.method;

import io.sluice.Limit;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** The names of the limiters of {@code @RateLimited(limit = ...)}. Methods that share a name must agree. Thread-safe. */
final class LimiterNames {
    private record Use(AnnotatedMethod method, boolean chosen, Limit limit, boolean waits) {}

    private final Map<String, Use> uses = new ConcurrentHashMap<>();

    /**
     * A method uses a name.
     *
     * @param chosen whether the annotation has the name
     * @throws io.sluice.spring.SluiceSettingsException if another method has the same name by chance, or uses it in another way
     */
    void add(String name, AnnotatedMethod method, boolean chosen, Limit limit, boolean waits) {
        Use use = new Use(method, chosen, limit, waits);
        Use first = uses.putIfAbsent(name, use);
        if (first == null || first.equals(use)) {
            return;
        }
        if (!(chosen && first.chosen())) {
            throw method.refuse(
                    "the limiter has the name \"" + name + "\", as that of " + first.method()
                            + " (expected: a name of its own)",
                    "Set name on one of them, or the same name on both to share the permits.");
        }
        if (!first.limit().equals(limit)) {
            throw method.refuse(
                    "name \"" + name + "\" with limit \"" + limit + "\", but " + first.method() + " has it with \""
                            + first.limit() + "\" (expected: the same limit)",
                    "Use the same limit for all methods with this name, or other names.");
        }
        if (first.waits() != waits) {
            throw method.refuse(
                    "name \"" + name + "\" is shared with " + first.method() + ", and only one of them has maxWait"
                            + " (expected: both or none)",
                    "Set maxWait = \"0s\" on the method that should not wait.");
        }
    }
}
