package io.sluice.policy;

import io.sluice.Blocked;
import io.sluice.Charge;
import io.sluice.Decision;
import io.sluice.RateLimiter;
import io.sluice.spi.PolicyCharge;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The policies that apply to one request, and what it is charged for. */
final class Applied implements Asked<PolicyDecision> {
    private final Scratch scratch;
    private final @Nullable String[] values;
    private final long permits;
    private final Rule[] rules;
    private final Tally[] tallies;

    /** By what the buckets are known. */
    private final String[] keys;

    private int size;
    private boolean blocked;

    /** Whether all are counted in the shared store. */
    private boolean allShared = true;

    /** @param most how many policies may apply */
    Applied(Scratch scratch, @Nullable String[] values, long permits, int most) {
        this.scratch = scratch;
        this.values = values;
        this.permits = permits;
        rules = new Rule[most];
        tallies = new Tally[most];
        keys = new String[most];
    }

    void add(Rule rule, String key) {
        Tally tally = rule.tally(values);
        rules[size] = rule;
        tallies[size] = tally;
        keys[size++] = key;
        allShared &= rule.shared && tally.limiter() != null;
        blocked |= tally.limiter() == null && rule.enforces && tally.limit() instanceof Blocked;
    }

    long permits() {
        return permits;
    }

    @Override
    public boolean isBlocked() {
        return blocked;
    }

    @Override
    public List<Charge> charges(boolean shared) {
        if (allShared) {
            return shared ? all() : List.of();
        }
        List<Charge> charges = new ArrayList<>(size);
        for (int i = 0; i < size; i++) {
            RateLimiter limiter = tallies[i].limiter();
            if (limiter != null && rules[i].shared == shared) {
                charges.add(charge(i, limiter));
            }
        }
        return charges;
    }

    /** How many charges there are, of either. */
    int counted(boolean shared) {
        if (allShared) {
            return shared ? size : 0;
        }
        int counted = 0;
        for (int i = 0; i < size; i++) {
            counted += tallies[i].limiter() != null && rules[i].shared == shared ? 1 : 0;
        }
        return counted;
    }

    private List<Charge> all() {
        Charge[] charges = new Charge[size];
        for (int i = 0; i < size; i++) {
            RateLimiter limiter = tallies[i].limiter();
            if (limiter != null) {
                charges[i] = charge(i, limiter);
            }
        }
        return Arrays.asList(charges);
    }

    private Charge charge(int i, RateLimiter limiter) {
        Rule rule = rules[i];
        Tally tally = tallies[i];
        return new PolicyCharge(
                limiter, keys[i], permits, null, rule.kept(tally, values), !rule.enforces, tally.limit());
    }

    @Override
    public PolicyDecision decision(List<Decision> shared, List<Decision> ours) {
        PolicyResult[] results = new PolicyResult[size];
        int nextShared = 0;
        int nextOurs = 0;
        for (int i = 0; i < size; i++) {
            Rule rule = rules[i];
            Decision decision;
            if (tallies[i].limiter() == null) {
                decision = tallies[i].constant();
            } else if (rule.shared) {
                decision = shared.get(nextShared++);
            } else {
                decision = ours.get(nextOurs++);
            }
            results[i] = new PolicyResult(
                    rule.policy.name(), rule.key.display(values), tallies[i].limit(), rule.policy.mode(), decision);
        }
        return PolicyDecision.of(results);
    }

    /** Notes what was said; a look is no request. */
    void count(PolicyDecision decision, PolicyCounters requests, TopKeys top) {
        if (permits == 0) {
            return;
        }
        boolean shadowed = countEach(decision, top);
        requests.count(decision.allowed(), shadowed, decision.degraded());
    }

    /**
     * Notes what each policy said.
     *
     * @return whether one in shadow would have denied
     */
    boolean countEach(PolicyDecision decision, TopKeys top) {
        List<PolicyResult> results = decision.results();
        boolean shadowed = false;
        for (int i = 0; i < size; i++) {
            Decision said = results.get(i).decision();
            Rule rule = rules[i];
            shadowed |= !rule.enforces && !said.allowed();
            rule.counters.count(rule.policy.mode(), said);
        }
        top.add(results, keys, scratch.random());
        return shadowed;
    }
}
