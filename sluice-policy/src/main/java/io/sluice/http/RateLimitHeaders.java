package io.sluice.http;

import io.sluice.Blocked;
import io.sluice.Decision;
import io.sluice.Limit;
import io.sluice.Unlimited;
import io.sluice.policy.Mode;
import io.sluice.policy.PolicyDecision;
import io.sluice.policy.PolicyResult;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The headers that tell a client its limits, as names and values in order, for any response, allowed or not.
 *
 * <p>{@code Retry-After} is when a denied request would be allowed, in whole seconds, rounded up, at least 1; there is none
 * if it never would be. {@code RateLimit-Policy} and {@code RateLimit} (draft-ietf-httpapi-ratelimit-headers-11) have an item
 * for each enforcing policy that applied and has a limit, in the order of the file:
 *
 * <ul>
 *   <li>{@code q}: the burst, the capacity, or the permits of a window; {@code w}: the seconds in which they come back, at
 *       least 1.
 *   <li>{@code r}: the permits that remain; {@code t}: the seconds until the key is as if never used.
 *   <li>A policy that blocks has {@code q=0;w=1} and {@code r=0;t=1}.
 *   <li>A shadow policy has no item: a client must not slow down for what is not enforced. Nor has an unlimited one.
 *   <li>What was allowed because the store did not answer is in {@code RateLimit-Policy} only: what remains is not known.
 * </ul>
 *
 * <p>A structured field holds numbers of 15 digits: larger ones are written as the largest.
 */
public final class RateLimitHeaders {
    private static final long MOST = 999_999_999_999_999L;

    private RateLimitHeaders() {}

    /** {@code Retry-After}, {@code RateLimit-Policy} and {@code RateLimit}, those that there are. */
    public static Map<String, String> of(PolicyDecision decision) {
        Map<String, String> headers = new LinkedHashMap<>();
        long retryAfter = retryAfter(decision);
        if (retryAfter > 0) {
            headers.put("Retry-After", Long.toString(retryAfter));
        }
        StringBuilder policies = new StringBuilder();
        appendPolicies(policies, decision);
        if (!policies.isEmpty()) {
            headers.put("RateLimit-Policy", policies.toString());
        }
        StringBuilder limits = new StringBuilder();
        appendLimits(limits, decision);
        if (!limits.isEmpty()) {
            headers.put("RateLimit", limits.toString());
        }
        return headers;
    }

    /** The value of {@code Retry-After}; 0 if there is none. */
    public static long retryAfter(PolicyDecision decision) {
        return Seconds.retryAfter(decision);
    }

    /** Appends the value of {@code RateLimit-Policy}; nothing if there is none. */
    public static void appendPolicies(StringBuilder out, PolicyDecision decision) {
        int start = out.length();
        for (PolicyResult result : decision.results()) {
            if (isTold(result)) {
                appendItem(out, start, result)
                        .append(";q=")
                        .append(quota(result))
                        .append(";w=")
                        .append(window(result));
            }
        }
    }

    /** Appends the value of {@code RateLimit}; nothing if there is none. */
    public static void appendLimits(StringBuilder out, PolicyDecision decision) {
        int start = out.length();
        for (PolicyResult result : decision.results()) {
            if (isTold(result) && isKnown(result)) {
                appendItem(out, start, result)
                        .append(";r=")
                        .append(remaining(result))
                        .append(";t=")
                        .append(reset(result));
            }
        }
    }

    /**
     * {@code X-RateLimit-Limit}, {@code X-RateLimit-Remaining} and {@code X-RateLimit-Reset} (in seconds from now), for clients
     * that know only those: of the policy that denied, or else the one with the least that remains, the first of equals. None
     * if no policy has something to tell.
     */
    public static Map<String, String> legacy(PolicyDecision decision) {
        PolicyResult least = null;
        for (PolicyResult result : decision.results()) {
            if (isTold(result) && isKnown(result) && isTighter(result, least)) {
                least = result;
            }
        }
        Map<String, String> headers = new LinkedHashMap<>();
        if (least != null) {
            headers.put("X-RateLimit-Limit", Long.toString(quota(least)));
            headers.put("X-RateLimit-Remaining", Long.toString(remaining(least)));
            headers.put("X-RateLimit-Reset", Long.toString(reset(least)));
        }
        return headers;
    }

    private static boolean isTighter(PolicyResult result, @Nullable PolicyResult other) {
        if (other == null) {
            return true;
        }
        boolean allowed = result.decision().allowed();
        return allowed == other.decision().allowed()
                ? result.decision().remaining() < other.decision().remaining()
                : !allowed;
    }

    private static boolean isTold(PolicyResult result) {
        return result.mode() == Mode.ENFORCE && !(result.limit() instanceof Unlimited);
    }

    /** A key that nothing was taken from has something left: else these are no counts. */
    private static boolean isKnown(PolicyResult result) {
        Decision decision = result.decision();
        return !(decision.degraded()
                && decision.allowed()
                && decision.remaining() == 0
                && decision.resetAfterMicros() == 0);
    }

    private static StringBuilder appendItem(StringBuilder out, int start, PolicyResult result) {
        if (out.length() > start) {
            out.append(", ");
        }
        StructuredText.append(out, result.policy());
        return out;
    }

    private static long quota(PolicyResult result) {
        return Math.min(MOST, result.limit().capacity());
    }

    private static long window(PolicyResult result) {
        Limit limit = result.limit();
        Duration refill = limit.refillTime();
        return Math.min(MOST, Math.max(1, refill.getSeconds() + (refill.getNano() > 0 ? 1 : 0)));
    }

    private static long remaining(PolicyResult result) {
        return Math.min(MOST, result.decision().remaining());
    }

    private static long reset(PolicyResult result) {
        if (result.limit() instanceof Blocked) {
            return 1;
        }
        Decision decision = result.decision();
        // Without the store a denial has no reset, but it does say when to come back.
        long micros = Math.max(decision.resetAfterMicros(), decision.never() ? 0 : decision.retryAfterMicros());
        return Math.min(MOST, Seconds.of(micros));
    }
}
