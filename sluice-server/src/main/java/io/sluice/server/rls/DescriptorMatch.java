package io.sluice.server.rls;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * How a descriptor is decided.
 *
 * @param attributes the attributes for the policies; null if the descriptor has no limit
 * @param name the name of the limit in the response; null for the name of the policy
 * @param overridable whether a limit that comes with the descriptor replaces the policies
 */
record DescriptorMatch(
        @Nullable Map<String, String> attributes, @Nullable String name, boolean overridable) {
    /** No rule matches. */
    static final DescriptorMatch UNLIMITED = new DescriptorMatch(null, null, true);
}
