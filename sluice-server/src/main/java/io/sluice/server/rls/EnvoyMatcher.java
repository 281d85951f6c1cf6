package io.sluice.server.rls;

import io.sluice.policy.PolicyView;
import io.sluice.policy.envoy.EnvoyConfig;
import io.sluice.policy.envoy.EnvoyEntry;
import io.sluice.policy.envoy.EnvoyMatch;
import io.sluice.server.rls.proto.RateLimitDescriptor;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** The rules of envoyproxy/ratelimit files: a descriptor matches one of them or none. */
final class EnvoyMatcher implements DescriptorMatcher {
    /** In a domain that no file has, not even what comes with a descriptor counts. */
    private static final Matched NO_DOMAIN = new Matched(null, null, false);

    @Override
    public List<Matched> match(PolicyView view, String domain, List<RateLimitDescriptor> descriptors) {
        EnvoyConfig config =
                view.envoy().orElseThrow(() -> new IllegalStateException("the policies come from no Envoy files"));
        boolean known = config.domains().contains(domain);
        List<List<EnvoyEntry>> asked = new ArrayList<>(descriptors.size());
        for (RateLimitDescriptor descriptor : descriptors) {
            // What brings a limit matches no rule, and so replaces none.
            asked.add(descriptor.hasLimit() ? List.of() : entries(descriptor));
        }
        List<Matched> matched = new ArrayList<>(descriptors.size());
        for (Optional<EnvoyMatch> match : config.matchAll(domain, asked)) {
            matched.add(match.map(EnvoyMatcher::matched).orElse(known ? Matched.NOTHING : NO_DOMAIN));
        }
        return matched;
    }

    private static Matched matched(EnvoyMatch match) {
        String name = match.rule().name();
        return new Matched(match.attributes(), name == null ? "" : name, true);
    }

    private static List<EnvoyEntry> entries(RateLimitDescriptor descriptor) {
        List<EnvoyEntry> entries = new ArrayList<>(descriptor.getEntriesCount());
        for (int i = 0; i < descriptor.getEntriesCount(); i++) {
            RateLimitDescriptor.Entry entry = descriptor.getEntries(i);
            entries.add(new EnvoyEntry(entry.getKey(), entry.getValue()));
        }
        return entries;
    }
}
