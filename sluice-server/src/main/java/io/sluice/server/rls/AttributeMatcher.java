package io.sluice.server.rls;

import io.sluice.policy.PolicyView;
import io.sluice.server.rls.proto.RateLimitDescriptor;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Every descriptor's entries as attributes, and the domain; the policies say which of them count. */
final class AttributeMatcher implements DescriptorMatcher {
    private static final String DOMAIN = "domain";

    @Override
    public List<Matched> match(PolicyView view, String domain, List<RateLimitDescriptor> descriptors) {
        List<Matched> matched = new ArrayList<>(descriptors.size());
        for (RateLimitDescriptor descriptor : descriptors) {
            matched.add(new Matched(attributes(domain, descriptor), null, true));
        }
        return matched;
    }

    private static Map<String, String> attributes(String domain, RateLimitDescriptor descriptor) {
        Map<String, String> attributes = new HashMap<>();
        for (int i = 0; i < descriptor.getEntriesCount(); i++) {
            RateLimitDescriptor.Entry entry = descriptor.getEntries(i);
            attributes.put(entry.getKey(), entry.getValue());
        }
        // Last: no entry can pretend to be of another domain.
        attributes.put(DOMAIN, domain);
        return attributes;
    }
}
