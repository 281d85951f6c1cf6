package io.sluice.server.live;

import org.jspecify.annotations.Nullable;

/** Whose counts a viewer sees. */
enum Scope {
    /** The sum over all replicas. */
    ALL,
    /** This replica. */
    REPLICA;

    /** @param text the parameter of a request; null for {@link #ALL} */
    static Scope of(@Nullable String text) {
        if (text == null || text.equals("all")) {
            return ALL;
        } else if (text.equals("replica")) {
            return REPLICA;
        }
        throw new IllegalArgumentException("scope: " + text + " (expected: all or replica)");
    }
}
