package io.sluice.spring.method;

import io.sluice.RateLimitedException;
import org.jspecify.annotations.Nullable;

/**
 * The decision on a call.
 *
 * @param denial why the call is denied; null if it may go on
 */
record Admission(@Nullable RateLimitedException denial) {
    /** The call may go on. */
    static final Admission ADMITTED = new Admission(null);
}
