package io.sluice.policy.engine;

import io.sluice.Blocked;
import io.sluice.Charge;
import io.sluice.Decision;
import io.sluice.RateLimiter;
import io.sluice.exact.Exact;
import io.sluice.policy.PolicyDecision;
import io.sluice.policy.PolicyResult;
import io.sluice.policy.metrics.PolicyCounters;
import io.sluice.policy.top.TopKeyCounter;
import io.sluice.spi.PolicyCharge;
import io.sluice.spi.Taking;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** One request with the policies that apply to it, and the charges for each. */
final class MatchedRequest implements Chargeable<PolicyDecision> {
    private final ThreadScratch scratch;
    private final @Nullable String[] values;
    private final long permits;
    private final Rule[] rules;
    private final PolicyLimit[] limits;
    private final String[] keys;
    private int size;
    private boolean blocked;

    /** Whether the shared store counts for all policies. */
    private boolean allShared = true;

    /** Whether the permits are charged whatever is left. */
    private boolean byForce;

    /** Whether the permits are an estimate. Then a denied request charges nothing, not even what is always charged. */
    private boolean estimated;

    private final Holding holding;

    /** Whether a concurrency limit is charged. */
    private boolean holds;

    /** @param capacity the maximum number of policies */
    MatchedRequest(ThreadScratch scratch, @Nullable String[] values, long permits, int capacity, Holding holding) {
        this.scratch = scratch;
        this.values = values;
        this.permits = permits;
        this.holding = holding;
        rules = new Rule[capacity];
        limits = new PolicyLimit[capacity];
        keys = new String[capacity];
    }

    void add(Rule rule, String key) {
        PolicyLimit limit = rule.limitFor(values, key);
        if (limit.holds()) {
            if (permits > 0 && holding != Holding.ENTERS) {
                rule.skip();
                return;
            } else if (holding == Holding.NEVER) {
                return;
            }
            holds = permits > 0;
        }
        rules[size] = rule;
        limits[size] = limit;
        keys[size++] = key;
        allShared &= rule.shared && limit.limiter() != null && limit.temporary() == null;
        blocked |= limit.isConstant() && rule.enforces && limit.limit() instanceof Blocked;
    }

    long permits() {
        return permits;
    }

    /** Whether it holds permits of a concurrency limit, if it is allowed. */
    boolean holds() {
        return holds;
    }

    /** This request, charged whatever is left, and then judged as a request for 0 permits. */
    MatchedRequest byForce() {
        byForce = true;
        return this;
    }

    /** This request, whose permits are an estimate. */
    MatchedRequest estimated() {
        estimated = true;
        return this;
    }

    /** The limiter of the first policy; null if no policy applies, or it counts nothing. */
    @Nullable
    RateLimiter firstLimiter() {
        return size == 0 ? null : limits[0].limiter();
    }

    /** The key of the first policy. */
    String firstKey() {
        return keys[0];
    }

    /** The {@link #firstLimiter}, if a caller may wait for its permits: the policy can deny, and keeps none from the request. */
    @Nullable
    RateLimiter waitableLimiter() {
        boolean waitable = size > 0
                && rules[0].enforces
                && rules[0].keptFrom(values, limits[0]) == 0
                && limits[0].temporary() == null;
        return waitable ? firstLimiter() : null;
    }

    @Override
    public boolean isBlocked() {
        // Nothing can deny a charge by force.
        return blocked && !byForce;
    }

    @Override
    public List<Charge> charges(boolean shared) {
        if (allShared) {
            return shared ? allCharges() : List.of();
        }
        List<Charge> charges = new ArrayList<>(size);
        for (int i = 0; i < size; i++) {
            if (rules[i].shared == shared) {
                addCharges(i, charges);
            }
        }
        return charges;
    }

    private void addCharges(int i, List<Charge> charges) {
        RateLimiter limiter = limits[i].limiter();
        TemporaryLimit temporary = limits[i].temporary();
        if (temporary == null) {
            if (limiter != null) {
                charges.add(charge(i, limiter));
            }
            return;
        }
        if (!limits[i].isConstant()) {
            charges.add(charge(i, temporary));
        }
        if (limiter != null) {
            charges.add(countingAlong(i, limiter));
        }
    }

    /** The number of {@link #charges}. */
    int chargeCount(boolean shared) {
        if (allShared) {
            return shared ? size : 0;
        }
        int count = 0;
        for (int i = 0; i < size; i++) {
            count += rules[i].shared == shared ? chargeCount(limits[i]) : 0;
        }
        return count;
    }

    private static int chargeCount(PolicyLimit limit) {
        int ofTemporary = limit.temporary() != null && !limit.isConstant() ? 1 : 0;
        return ofTemporary + (limit.limiter() != null ? 1 : 0);
    }

    private List<Charge> allCharges() {
        Charge[] charges = new Charge[size];
        for (int i = 0; i < size; i++) {
            RateLimiter limiter = limits[i].limiter();
            if (limiter != null) {
                charges[i] = charge(i, limiter);
            }
        }
        return Arrays.asList(charges);
    }

    /** The charges that this request took under an earlier decision, as far as their policies still count. */
    List<Charge> taken(PolicyDecision decision) {
        List<Charge> taken = new ArrayList<>(size);
        for (PolicyResult result : decision.allowed() ? decision.results() : List.<PolicyResult>of()) {
            if (result.decision().allowed() && !result.decision().degraded()) {
                for (int i = 0; i < size; i++) {
                    if (rules[i].policy.name().equals(result.policy())) {
                        addCharges(i, taken);
                    }
                }
            }
        }
        return taken;
    }

    private Charge charge(int i, RateLimiter limiter) {
        Rule rule = rules[i];
        PolicyLimit limit = limits[i];
        return new PolicyCharge(
                limiter,
                keys[i],
                permits,
                null,
                rule.keptFrom(values, limit),
                !rule.enforces,
                limit.limit(),
                taking(rule));
    }

    private Taking taking(Rule rule) {
        return byForce ? Taking.FIRST : estimated ? estimatedTaking(rule) : rule.taking;
    }

    private static Taking estimatedTaking(Rule rule) {
        return rule.taking == Taking.ALWAYS ? Taking.WITH_REQUEST : rule.taking;
    }

    private Charge charge(int i, TemporaryLimit temporary) {
        Rule rule = rules[i];
        PolicyLimit limit = limits[i];
        return new PolicyCharge(
                temporary.calls(),
                temporary.key(),
                permits,
                limit.limit(),
                rule.keptFrom(values, limit),
                !rule.enforces,
                null,
                taking(rule));
    }

    /** Counts on the state of the policy, for the time after the temporary override. */
    private Charge countingAlong(int i, RateLimiter limiter) {
        return new PolicyCharge(limiter, keys[i], permits, null, 0, true, limits[i].base(), taking(rules[i]));
    }

    @Override
    public PolicyDecision decision(List<Decision> shared, List<Decision> own) {
        PolicyResult[] results = new PolicyResult[size];
        int nextShared = 0;
        int nextOwn = 0;
        for (int i = 0; i < size; i++) {
            Rule rule = rules[i];
            int charged = chargeCount(limits[i]);
            int next = rule.shared ? nextShared : nextOwn;
            Decision decision = limits[i].isConstant() ? limits[i].constant() : (rule.shared ? shared : own).get(next);
            nextShared += rule.shared ? charged : 0;
            nextOwn += rule.shared ? 0 : charged;
            results[i] = new PolicyResult(
                    rule.policy.name(), rule.key.display(values), limits[i].limit(), rule.policy.mode(), decision);
        }
        return PolicyDecision.of(results);
    }

    /** Counts the decision. A request for 0 permits is not counted. Of a charge by force, which asks nothing, the permits are. */
    void count(PolicyDecision decision, PolicyCounters requests, TopKeyCounter top) {
        if (permits == 0) {
            return;
        }
        if (byForce) {
            for (int i = 0; i < size; i++) {
                countByForce(i, decision.results().get(i).decision(), requests, List.of());
            }
            return;
        }
        boolean shadowDenied = countEach(decision, decision.allowed(), requests, top, List.of());
        requests.count(decision.allowed(), shadowDenied, decision.degraded());
    }

    /**
     * Counts the result of each policy.
     *
     * @param allowed whether all that is decided together was allowed
     * @param counted requests that were decided together with this one and are counted already
     * @return whether a shadow policy would have denied
     */
    boolean countEach(
            PolicyDecision decision,
            boolean allowed,
            PolicyCounters requests,
            TopKeyCounter top,
            List<MatchedRequest> counted) {
        List<PolicyResult> results = decision.results();
        boolean shadowDenied = false;
        for (int i = 0; i < size; i++) {
            Decision verdict = results.get(i).decision();
            Rule rule = rules[i];
            shadowDenied |= !rule.enforces && !verdict.allowed();
            boolean always = rule.taking == Taking.ALWAYS;
            long asked = limits[i].holds() ? 1 : permits;
            rule.counters.count(rule.policy.mode(), verdict, asked, allowed && !always);
            if (always && (allowed || !estimated)) {
                countByForce(i, verdict, requests, counted);
            }
        }
        top.add(results, keys, scratch.random());
        return shadowDenied;
    }

    /** Counts permits that a policy charged whatever was left. A limit that blocks everything takes none. */
    private void countByForce(int i, Decision after, PolicyCounters requests, List<MatchedRequest> counted) {
        if (limits[i].limit() instanceof Blocked) {
            return;
        }
        long others = 0;
        if (after.debt() > 0) {
            for (MatchedRequest other : counted) {
                others = Exact.sum(others, other.permitsOn(limits[i].limiter(), keys[i]));
            }
        }
        rules[i].counters.countByForce(permits, after, others);
        requests.countByForce(permits, after, others);
    }

    /** The permits of this request if it charges that key; else 0. */
    private long permitsOn(@Nullable RateLimiter limiter, String key) {
        for (int i = 0; i < size; i++) {
            if (limits[i].limiter() == limiter && keys[i].equals(key)) {
                return permits;
            }
        }
        return 0;
    }
}
