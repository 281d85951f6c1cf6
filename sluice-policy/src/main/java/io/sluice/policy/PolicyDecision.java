package io.sluice.policy;

import io.sluice.Decision;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.List;

/**
 * The decision of all policies together on a request.
 *
 * @param allowed whether every enforcing policy allowed the request; then all policies were charged, else none
 * @param retryAfterMicros the largest value of the enforcing policies that denied; {@link Decision#NEVER} if one will
 *     never allow it
 * @param delayMicros the largest value of the enforcing policies, if allowed; else 0
 * @param results the verdict of every policy that applied, in the order of the file
 */
public record PolicyDecision(boolean allowed, long retryAfterMicros, long delayMicros, List<PolicyResult> results) {

    /** Combines the results of the policies. */
    public static PolicyDecision of(PolicyResult... results) {
        boolean allowed = true;
        long retryAfter = 0;
        long delay = 0;
        for (PolicyResult result : results) {
            if (result.mode() == Mode.ENFORCE) {
                Decision decision = result.decision();
                allowed &= decision.allowed();
                retryAfter = Math.max(retryAfter, decision.retryAfterMicros());
                delay = Math.max(delay, decision.delayMicros());
            }
        }
        return new PolicyDecision(allowed, retryAfter, allowed ? delay : 0, List.of(results));
    }

    /** Whether the request can never be allowed, because it asks for more permits than a limit can ever give. */
    public boolean never() {
        return retryAfterMicros == Decision.NEVER;
    }

    /** {@link #retryAfterMicros()} as a duration. {@link ChronoUnit#FOREVER} if the request can {@linkplain #never() never} be allowed. */
    public Duration retryAfter() {
        return never() ? ChronoUnit.FOREVER.getDuration() : Duration.of(retryAfterMicros, ChronoUnit.MICROS);
    }

    /** {@link #delayMicros()} as a duration. */
    public Duration delay() {
        return Duration.of(delayMicros, ChronoUnit.MICROS);
    }

    /** The names of the enforcing policies that denied, in the order of the file. */
    public List<String> violated() {
        if (allowed) {
            return List.of();
        }
        return results.stream()
                .filter(PolicyResult::isViolated)
                .map(PolicyResult::policy)
                .toList();
    }

    /** Whether a policy was decided without the store. */
    public boolean degraded() {
        for (PolicyResult result : results) {
            if (result.decision().degraded()) {
                return true;
            }
        }
        return false;
    }

    /**
     * The decision as one line of JSON, without a line end: {@code
     * {"allowed":true,"retry_after_us":0,"delay_us":0,"violated":[],"results":[...]}}. Times are in microseconds; -1
     * means never.
     */
    public String toJson() {
        StringBuilder out = new StringBuilder(64 + 192 * results.size());
        appendJson(out);
        return out.toString();
    }

    /** Appends {@link #toJson()}. */
    public void appendJson(StringBuilder out) {
        out.append('{');
        DecisionJson.appendFields(out, this);
    }

    /** Appends {@link #toJson()} with {@code "time_us"} as its first field. */
    public void appendJson(StringBuilder out, long timeMicros) {
        out.append("{\"time_us\":").append(timeMicros).append(',');
        DecisionJson.appendFields(out, this);
    }
}
