package io.sluice.http;

import io.sluice.Decision;
import io.sluice.Limit;
import io.sluice.policy.Mode;
import io.sluice.policy.PolicyDecision;
import io.sluice.policy.PolicyResult;
import java.util.List;
import java.util.Map;

/** Decisions for tests. */
final class Results {
    private Results() {}

    static PolicyResult enforced(String policy, String limit, Decision decision) {
        return new PolicyResult(policy, Map.of(), Limit.parse(limit), Mode.ENFORCE, decision);
    }

    static PolicyResult shadow(String policy, String limit, Decision decision) {
        return new PolicyResult(policy, Map.of(), Limit.parse(limit), Mode.SHADOW, decision);
    }

    static PolicyDecision allowed(PolicyResult... results) {
        return new PolicyDecision(true, 0, 0, List.of(results));
    }

    static PolicyDecision denied(long retryAfterMicros, PolicyResult... results) {
        return new PolicyDecision(false, retryAfterMicros, 0, List.of(results));
    }
}
