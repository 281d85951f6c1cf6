package io.sluice.server.rls;

import com.google.protobuf.Duration;
import io.sluice.Decision;
import io.sluice.Unlimited;
import io.sluice.http.RateLimitHeaders;
import io.sluice.policy.Mode;
import io.sluice.policy.PolicyDecision;
import io.sluice.policy.PolicyResult;
import io.sluice.server.rls.proto.HeaderValue;
import io.sluice.server.rls.proto.RateLimitResponse;
import io.sluice.server.rls.proto.RateLimitResponse.Code;
import io.sluice.server.rls.proto.RateLimitResponse.DescriptorStatus;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Builds the response to a call of Envoy. */
final class ResponseBuilder {
    private static final DescriptorStatus NOT_LIMITED =
            DescriptorStatus.newBuilder().setCode(Code.OK).build();

    private static final DescriptorStatus UNLIMITED = DescriptorStatus.newBuilder()
            .setCode(Code.OK)
            .setLimitRemaining(RateLimitUnits.uint32(Long.MAX_VALUE))
            .build();

    private final boolean legacyHeaders;
    private final RateLimitResponse.Builder response = RateLimitResponse.newBuilder();
    private final List<PolicyResult> results = new ArrayList<>();
    private boolean allowed = true;
    private long retryAfter;

    ResponseBuilder(boolean legacyHeaders) {
        this.legacyHeaders = legacyHeaders;
    }

    /**
     * Adds the decision for a descriptor.
     *
     * @param name the name of the limit in the response; null for the name of the policy
     */
    void add(PolicyDecision decision, @Nullable String name) {
        allowed &= decision.allowed();
        retryAfter = Math.max(retryAfter, decision.retryAfterMicros());
        decision.results().forEach(this::addResult);
        response.addStatuses(status(decision, name));
    }

    /** Adds a descriptor that has no limit. */
    void addUnlimited() {
        response.addStatuses(NOT_LIMITED);
    }

    /** Keeps the strictest result of each policy, because the headers have one item for each policy. */
    private void addResult(PolicyResult result) {
        for (int i = 0; i < results.size(); i++) {
            PolicyResult before = results.get(i);
            if (before.policy().equals(result.policy())) {
                results.set(i, stricter(before, result));
                return;
            }
        }
        results.add(result);
    }

    RateLimitResponse build() {
        response.setOverallCode(allowed ? Code.OK : Code.OVER_LIMIT);
        PolicyDecision all = new PolicyDecision(allowed, allowed ? 0 : retryAfter, 0, results);
        add(RateLimitHeaders.of(all));
        if (legacyHeaders) {
            add(RateLimitHeaders.legacy(all));
        }
        return response.build();
    }

    private void add(Map<String, String> headers) {
        headers.forEach((key, value) -> response.addResponseHeadersToAdd(
                HeaderValue.newBuilder().setKey(key).setValue(value).build()));
    }

    private static DescriptorStatus status(PolicyDecision decision, @Nullable String name) {
        PolicyResult strictest = null;
        boolean unlimited = false;
        for (PolicyResult result : decision.results()) {
            if (result.limit() instanceof Unlimited) {
                unlimited = true;
            } else {
                strictest = strictest == null ? result : stricter(strictest, result);
            }
        }
        if (strictest == null) {
            return unlimited ? UNLIMITED : NOT_LIMITED;
        }
        Decision decided = strictest.decision();
        // A degraded denial has no reset, but it has a retry-after.
        long reset = Math.max(decided.resetAfterMicros(), decided.never() ? 0 : decided.retryAfterMicros());
        return DescriptorStatus.newBuilder()
                .setCode(decision.allowed() ? Code.OK : Code.OVER_LIMIT)
                .setCurrentLimit(
                        RateLimitUnits.rate(strictest.limit()).setName(name == null ? strictest.policy() : name))
                .setLimitRemaining(RateLimitUnits.uint32(decided.remaining()))
                .setDurationUntilReset(duration(reset))
                .build();
    }

    /** Enforced before shadow, denied before allowed, then the one with less remaining. */
    private static PolicyResult stricter(PolicyResult one, PolicyResult other) {
        int rank = Integer.compare(rank(one), rank(other));
        boolean first =
                rank == 0 ? one.decision().remaining() <= other.decision().remaining() : rank > 0;
        return first ? one : other;
    }

    private static int rank(PolicyResult result) {
        return (result.mode() == Mode.ENFORCE ? 2 : 0) + (result.decision().allowed() ? 0 : 1);
    }

    private static Duration duration(long micros) {
        return Duration.newBuilder()
                .setSeconds(micros / 1_000_000)
                .setNanos((int) (micros % 1_000_000) * 1000)
                .build();
    }
}
