package io.sluice.policy;

import io.sluice.Blocked;
import io.sluice.Charge;
import io.sluice.Decision;
import io.sluice.RateLimiter;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The policies that apply to one request, and what it is charged for. */
final class Applied {
    /** A policy that applies. */
    record Charged(Rule rule, Tally tally, String key) {
        boolean isCounted() {
            return tally.limiter() != null;
        }

        /** Whether it denies whatever comes. */
        boolean blocks() {
            return rule.policy.mode() == Mode.ENFORCE && tally.limit() instanceof Blocked;
        }
    }

    private final Ruleset rules;
    private final @Nullable String[] values;
    private final long permits;
    private final List<Charged> charged;

    Applied(Ruleset rules, @Nullable String[] values, long permits, List<Charged> charged) {
        this.rules = rules;
        this.values = values;
        this.permits = permits;
        this.charged = charged;
    }

    Ruleset rules() {
        return rules;
    }

    /** Whether a policy denies that nothing is counted for. */
    boolean isBlocked() {
        for (Charged each : charged) {
            if (each.blocks()) {
                return true;
            }
        }
        return false;
    }

    /** The charges on what is counted in the shared store, or in this process's own, in order. */
    List<Charge> charges(boolean shared) {
        List<Charge> charges = new ArrayList<>(charged.size());
        for (Charged each : charged) {
            RateLimiter limiter = each.tally.limiter();
            if (limiter != null && each.rule.shared == shared) {
                Rule rule = each.rule;
                charges.add(new Charge(
                        limiter,
                        each.key,
                        permits,
                        rule.kept(each.tally, values),
                        rule.policy.mode() == Mode.SHADOW,
                        each.tally.limit()));
            }
        }
        return charges;
    }

    /**
     * What all said.
     *
     * @param shared the decisions on {@code charges(true)}
     * @param ours the decisions on {@code charges(false)}
     */
    PolicyDecision decision(List<Decision> shared, List<Decision> ours) {
        PolicyResult[] results = new PolicyResult[charged.size()];
        int nextShared = 0;
        int nextOurs = 0;
        for (int i = 0; i < results.length; i++) {
            Charged each = charged.get(i);
            Decision decision;
            if (!each.isCounted()) {
                decision = each.tally.constant();
            } else if (each.rule.shared) {
                decision = shared.get(nextShared++);
            } else {
                decision = ours.get(nextOurs++);
            }
            Policy policy = each.rule.policy;
            results[i] = new PolicyResult(
                    policy.name(), each.rule.key.display(values), each.tally.limit(), policy.mode(), decision);
        }
        return PolicyDecision.of(List.of(results));
    }

    /** Notes what was said. */
    void count(PolicyDecision decision) {
        List<PolicyResult> results = decision.results();
        for (int i = 0; i < results.size(); i++) {
            Charged each = charged.get(i);
            PolicyResult result = results.get(i);
            each.rule.counters.count(result.mode(), result.decision());
        }
    }
}
