package io.sluice.server.rls;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What decides a descriptor.
 *
 * @param attributes what the policies are asked by; null if nothing limits it
 * @param name what the limit is called in the answer; null for the policy's name
 * @param overridable whether a limit that comes with the descriptor counts instead
 */
record Matched(
        @Nullable Map<String, String> attributes, @Nullable String name, boolean overridable) {
    /** Nothing limits it. */
    static final Matched NOTHING = new Matched(null, null, true);
}
