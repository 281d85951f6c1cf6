package io.sluice.server.rls;

import io.sluice.policy.PolicyView;
import io.sluice.server.rls.proto.RateLimitDescriptor;
import java.util.List;

/** Finds the attributes by which the policies decide each descriptor of a call. Thread-safe. */
interface DescriptorMatcher {
    /**
     * Matches all descriptors of a call.
     *
     * @param view the policies that will decide the call
     * @return one match for each descriptor, in order
     */
    List<DescriptorMatch> match(PolicyView view, String domain, List<RateLimitDescriptor> descriptors);
}
