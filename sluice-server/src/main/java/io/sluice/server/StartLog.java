package io.sluice.server;

import io.sluice.policy.Cidr;
import io.sluice.policy.Mode;
import io.sluice.policy.Policies;
import io.sluice.policy.Policy;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/** The lines that a server logs when it starts: its policies, its store, and its trusted proxies. */
final class StartLog {
    private static final int MAX_POLICIES = 20;

    private StartLog() {}

    static List<String> lines(ServerConfig config, ServerEngine engine, ServerStore store) {
        return List.of(policies(engine), "store: " + store.description(), trusted(config.trusted()));
    }

    private static String policies(ServerEngine engine) {
        Policies policies = engine.policyEngine.policies();
        int count = policies.policies().size();
        String line = "policies: " + count + ", from " + engine.policySource();
        if (count == 0) {
            return line + " (every request is allowed)";
        }
        return line + ": "
                + policies.policies().stream()
                        .limit(MAX_POLICIES)
                        .map(StartLog::policy)
                        .collect(Collectors.joining(", "))
                + (count > MAX_POLICIES ? ", and " + (count - MAX_POLICIES) + " more" : "");
    }

    private static String policy(Policy policy) {
        int overrides = policy.overrides().size();
        String overridesText = overrides == 0 ? "" : overrides == 1 ? ", 1 override" : ", " + overrides + " overrides";
        String mode =
                policy.mode() == Mode.ENFORCE ? "" : ", " + policy.mode().name().toLowerCase(Locale.ROOT);
        return policy.name() + " (" + policy.limit() + overridesText + mode + ")";
    }

    private static String trusted(List<Cidr> proxies) {
        return proxies.isEmpty()
                ? "trusted proxies: none, so forwarded headers never count (--trusted-proxies)"
                : "trusted proxies: "
                        + proxies.stream().map(Cidr::toString).collect(Collectors.joining(", "))
                        + " (--trusted-proxies)";
    }
}
