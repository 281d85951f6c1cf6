package io.sluice.policy;

import io.sluice.Decision;
import io.sluice.Limit;
import java.util.List;
import java.util.Map;

/** All visible values of a decision, to compare decisions. */
record DecisionSnapshot(
        boolean allowed, long retryAfterMicros, long delayMicros, List<String> violated, List<Result> results) {
    /** All visible values of the verdict of one policy. */
    record Result(String policy, Map<String, String> key, Limit limit, Mode mode, Decision decision) {}

    static DecisionSnapshot of(PolicyDecision decision) {
        List<Result> results = decision.results().stream()
                .map(result ->
                        new Result(result.policy(), result.key(), result.limit(), result.mode(), result.decision()))
                .toList();
        return new DecisionSnapshot(
                decision.allowed(), decision.retryAfterMicros(), decision.delayMicros(), decision.violated(), results);
    }
}
