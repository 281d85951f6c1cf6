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

/**
 * Warns of policies that are valid but probably wrong, in a file without errors. It warns only of what it can prove.
 */
public final class Lint {
    private Lint() {}

    /** Adds the warnings to the problems. */
    public static void check(List<Located<Policy>> policies, List<Located<Alert>> alerts, Problems problems) {
        ConditionLogic logic = new ConditionLogic();
        for (Located<Policy> policy : policies) {
            new PolicyLint(policy, logic, problems).check();
        }
        warnOfDuplicates(policies, problems);
        warnOfSilentAlerts(policies, alerts, problems);
    }

    private static void warnOfDuplicates(List<Located<Policy>> policies, Problems problems) {
        Map<Policy, Located<Policy>> seen = new HashMap<>();
        for (Located<Policy> located : policies) {
            if (located.value().mode() == Mode.OFF) {
                continue;
            }
            Located<Policy> first = seen.putIfAbsent(effect(located.value()), located);
            if (first != null) {
                problems.warning(
                        located.at("name"),
                        "name: " + Problems.quoted(located.value().name())
                                + " limits the same requests in the same way as "
                                + Problems.quoted(first.value().name()) + " in line "
                                + first.at("name").line() + " (expected: one of them)");
            }
        }
    }

    /** The policy without the fields that make no difference to requests. */
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
                policy.scope(),
                policy.charge(),
                policy.adapt());
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
                        "policy: " + Problems.quoted(policy) + " is off, so this alert never fires");
            }
        }
    }
}
