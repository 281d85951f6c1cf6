package io.sluice.policy.lint;

import io.sluice.OnFailure;
import io.sluice.policy.Alert;
import io.sluice.policy.Mode;
import io.sluice.policy.Policy;
import io.sluice.policy.yaml.Located;
import io.sluice.policy.yaml.Problems;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Looks for what is legal but suspicious in a file that has no errors, and warns of what is certain. */
public final class Lint {
    private Lint() {}

    public static void look(List<Located<Policy>> policies, List<Located<Alert>> alerts, Problems problems) {
        ConditionLogic logic = new ConditionLogic();
        for (Located<Policy> policy : policies) {
            new PolicyLint(policy, logic, problems).look();
        }
        warnOfDuplicates(policies, problems);
        warnOfSilentAlerts(policies, alerts, problems);
    }

    private static void warnOfDuplicates(List<Located<Policy>> policies, Problems problems) {
        Map<Policy, Located<Policy>> seen = new HashMap<>();
        for (Located<Policy> written : policies) {
            if (written.value().mode() == Mode.OFF) {
                continue;
            }
            Located<Policy> first = seen.putIfAbsent(effect(written.value()), written);
            if (first != null) {
                problems.warning(
                        written.at("name"),
                        "name: " + Problems.quoted(written.value().name())
                                + " limits the same requests in the same way as "
                                + Problems.quoted(first.value().name()) + " in line "
                                + first.at("name").line() + " (expected: one of them)");
            }
        }
    }

    /** What makes a difference to requests. */
    private static Policy effect(Policy policy) {
        return new Policy(
                "",
                policy.match(),
                policy.key(),
                policy.limit(),
                policy.overrides(),
                policy.reserve(),
                policy.mode(),
                OnFailure.ALLOW,
                policy.scope());
    }

    private static void warnOfSilentAlerts(
            List<Located<Policy>> policies, List<Located<Alert>> alerts, Problems problems) {
        Map<String, Mode> modes = new HashMap<>();
        policies.forEach(
                policy -> modes.put(policy.value().name(), policy.value().mode()));
        for (Located<Alert> alert : alerts) {
            String policy = alert.value().policy();
            if (policy != null && modes.get(policy) == Mode.OFF) {
                problems.warning(
                        alert.at("policy"),
                        "policy: " + Problems.quoted(policy) + " is off, so there is nothing to alert of");
            }
        }
    }
}
