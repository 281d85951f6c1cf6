package io.sluice.spring.web;

import io.sluice.Limit;
import io.sluice.RateLimitedException;
import io.sluice.http.QuotaExceeded;
import io.sluice.http.RateLimitHeaders;
import io.sluice.policy.Mode;
import io.sluice.policy.PolicyDecision;
import io.sluice.policy.PolicyResult;
import io.sluice.spring.SluiceProperties;
import java.util.Map;
import java.util.function.BiConsumer;

/** The headers and the body that tell a client the decision. */
public final class RateLimitResponse {
    private final boolean headers;
    private final boolean legacyHeaders;

    /** Settings say which headers there are. */
    public RateLimitResponse(SluiceProperties.Web settings) {
        this.headers = settings.headers();
        this.legacyHeaders = settings.legacyHeaders();
    }

    /** Sets the headers for a decision, allowed or denied. A denial always has {@code Retry-After}. */
    public void setHeaders(PolicyDecision decision, BiConsumer<String, String> set) {
        if (headers) {
            RateLimitHeaders.forEach(decision, set);
        } else if (!decision.allowed()) {
            long seconds = RateLimitHeaders.retryAfter(decision);
            if (seconds > 0) {
                set.accept("Retry-After", Long.toString(seconds));
            }
        }
        if (legacyHeaders) {
            RateLimitHeaders.legacy(decision).forEach(set);
        }
    }

    /** The body of the response to a denied request. Its content type is {@link QuotaExceeded#CONTENT_TYPE}. */
    public String body(PolicyDecision denied) {
        return QuotaExceeded.of(denied).toJson();
    }

    /**
     * The decision of an exception that leaves a handler. It names the limiter as the policy that was violated. Only {@code
     * Retry-After} and the body can be made of it: the limit is not known.
     */
    private static PolicyDecision decision(RateLimitedException denied) {
        return PolicyDecision.of(
                new PolicyResult(denied.limiter(), Map.of(), Limit.blocked(), Mode.ENFORCE, denied.decision()));
    }

    /** The value of {@code Retry-After} for an exception that leaves a handler; 0 if there is none. */
    public static long retryAfter(RateLimitedException denied) {
        return RateLimitHeaders.retryAfter(decision(denied));
    }

    /** The body for an exception that leaves a handler. */
    public static String body(RateLimitedException denied) {
        return QuotaExceeded.of(decision(denied)).toJson();
    }
}
