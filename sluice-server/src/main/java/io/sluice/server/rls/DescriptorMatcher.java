package io.sluice.server.rls;

import io.sluice.server.rls.proto.RateLimitDescriptor;
import java.util.List;

/** Finds what decides the descriptors of a call. Thread-safe. */
interface DescriptorMatcher {
    /**
     * For all descriptors of a call.
     *
     * @return one for each, in order
     */
    List<Matched> match(String domain, List<RateLimitDescriptor> descriptors);

    /** What it matches by now: another object after a change. */
    default Object rules() {
        return this;
    }
}
