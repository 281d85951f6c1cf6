package io.sluice.server.rls;

import io.sluice.policy.PolicyView;
import io.sluice.policy.envoy.EnvoyConfig;
import io.sluice.policy.envoy.EnvoyEntry;
import io.sluice.policy.envoy.EnvoyMatch;
import io.sluice.server.rls.proto.RateLimitDescriptor;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Matches descriptors by the rules of envoyproxy/ratelimit files: a descriptor matches one rule or none. */
final class EnvoyMatcher implements DescriptorMatcher {
    /** In an unknown domain, the limit that comes with a descriptor is ignored too. */
    private static final DescriptorMatch UNKNOWN_DOMAIN = new DescriptorMatch(null, null, false);

    @Override
    public List<DescriptorMatch> match(PolicyView view, String domain, List<RateLimitDescriptor> descriptors) {
        EnvoyConfig config =
                view.envoy().orElseThrow(() -> new IllegalStateException("the policies come from no Envoy files"));
        boolean knownDomain = config.domains().contains(domain);
        List<List<EnvoyEntry>> entries = new ArrayList<>(descriptors.size());
        for (RateLimitDescriptor descriptor : descriptors) {
            // A descriptor with a limit of its own matches no rule.
            entries.add(descriptor.hasLimit() ? List.of() : entriesOf(descriptor));
        }
        List<DescriptorMatch> matches = new ArrayList<>(descriptors.size());
        for (Optional<EnvoyMatch> match : config.matchAll(domain, entries)) {
            matches.add(
                    match.map(EnvoyMatcher::toMatch).orElse(knownDomain ? DescriptorMatch.UNLIMITED : UNKNOWN_DOMAIN));
        }
        return matches;
    }

    private static DescriptorMatch toMatch(EnvoyMatch match) {
        String name = match.rule().name();
        return new DescriptorMatch(match.attributes(), name == null ? "" : name, true);
    }

    private static List<EnvoyEntry> entriesOf(RateLimitDescriptor descriptor) {
        List<EnvoyEntry> entries = new ArrayList<>(descriptor.getEntriesCount());
        for (int i = 0; i < descriptor.getEntriesCount(); i++) {
            RateLimitDescriptor.Entry entry = descriptor.getEntries(i);
            entries.add(new EnvoyEntry(entry.getKey(), entry.getValue()));
        }
        return entries;
    }
}
