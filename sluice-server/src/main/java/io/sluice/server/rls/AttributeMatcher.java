package io.sluice.server.rls;

import io.sluice.policy.PolicyView;
import io.sluice.server.rls.proto.RateLimitDescriptor;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Makes attributes of the entries of each descriptor and of the domain. The policies match by them. */
final class AttributeMatcher implements DescriptorMatcher {
    private static final String DOMAIN = "domain";

    @Override
    public List<DescriptorMatch> match(PolicyView view, String domain, List<RateLimitDescriptor> descriptors) {
        List<DescriptorMatch> matched = new ArrayList<>(descriptors.size());
        for (RateLimitDescriptor descriptor : descriptors) {
            matched.add(new DescriptorMatch(attributes(domain, descriptor), null, true));
        }
        return matched;
    }

    private static Map<String, String> attributes(String domain, RateLimitDescriptor descriptor) {
        Map<String, String> attributes = new HashMap<>();
        for (int i = 0; i < descriptor.getEntriesCount(); i++) {
            RateLimitDescriptor.Entry entry = descriptor.getEntries(i);
            attributes.put(entry.getKey(), entry.getValue());
        }
        // Last, so that no entry can replace the domain.
        attributes.put(DOMAIN, domain);
        return attributes;
    }
}
