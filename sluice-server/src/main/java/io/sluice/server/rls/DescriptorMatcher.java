package io.sluice.server.rls;

import io.sluice.policy.PolicyView;
import io.sluice.server.rls.proto.RateLimitDescriptor;
import java.util.List;

/** Finds what decides the descriptors of a call. Thread-safe. */
interface DescriptorMatcher {
    /**
     * For all descriptors of a call.
     *
     * @param view the policies that decide it
     * @return one for each, in order
     */
    List<Matched> match(PolicyView view, String domain, List<RateLimitDescriptor> descriptors);
}
