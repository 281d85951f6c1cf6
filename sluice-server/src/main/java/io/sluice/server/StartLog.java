package io.sluice.server;

import io.sluice.policy.Cidr;
import io.sluice.policy.Mode;
import io.sluice.policy.Policies;
import io.sluice.policy.Policy;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/** What the log says of a server when it starts: by which policies it decides, where it counts, and whom it trusts. */
final class StartLog {
    /** Policies in one line. */
    private static final int MOST = 20;

    private StartLog() {}

    static List<String> lines(ServerConfig config, Deciding deciding, ServerStore store) {
        return List.of(policies(deciding), "store: " + store.description(), trusted(config.trusted()));
    }

    private static String policies(Deciding deciding) {
        Policies policies = deciding.engine.policies();
        int count = policies.policies().size();
        String line = "policies: " + count + ", from " + deciding.origin();
        if (count == 0) {
            return line + " (every request is allowed)";
        }
        return line + ": "
                + policies.policies().stream().limit(MOST).map(StartLog::policy).collect(Collectors.joining(", "))
                + (count > MOST ? ", and " + (count - MOST) + " more" : "");
    }

    private static String policy(Policy policy) {
        int overrides = policy.overrides().size();
        String some = overrides == 0 ? "" : overrides == 1 ? ", 1 override" : ", " + overrides + " overrides";
        String mode =
                policy.mode() == Mode.ENFORCE ? "" : ", " + policy.mode().name().toLowerCase(Locale.ROOT);
        return policy.name() + " (" + policy.limit() + some + mode + ")";
    }

    private static String trusted(List<Cidr> proxies) {
        return proxies.isEmpty()
                ? "trusted proxies: none, so forwarded headers never count (--trusted-proxies)"
                : "trusted proxies: "
                        + proxies.stream().map(Cidr::toString).collect(Collectors.joining(", "))
                        + " (--trusted-proxies)";
    }
}
