package io.sluice.http;

import io.sluice.Blocked;
import io.sluice.Decision;
import io.sluice.TimeSource;
import io.sluice.Unlimited;
import io.sluice.policy.Mode;
import io.sluice.policy.PolicyDecision;
import io.sluice.policy.PolicyResult;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * Rate limit headers for the response to a request, allowed or denied, as names and values in order.
 *
 * <p>{@code Retry-After} is the time until a denied request would be allowed, in whole seconds, rounded up, at least 1.
 * The header is absent if the request would never be allowed. For a concurrency limit it is 1. {@code RateLimit-Policy} and {@code RateLimit}
 * (draft-ietf-httpapi-ratelimit-headers-11) have an item for each enforcing policy that applied and has a limit, in the
 * order of the file:
 *
 * <ul>
 *   <li>{@code q}: the burst, the capacity, or the permits of a window; {@code w}: the seconds until they are
 *       refilled, at least 1. For a window of the calendar: the length of the present window. For a warm-up: the most permits of
 *       one request, and how long it takes to be warm. For concurrency: the most permits that may be held, and how long one stays
 *       held without being renewed.
 *   <li>{@code r}: the permits that remain; {@code t}: the seconds until the key is fresh.
 *   <li>A policy with the limit {@code blocked} has {@code q=0;w=1} and {@code r=0;t=1}.
 *   <li>A shadow policy has no item, because a client must not slow down for it. An unlimited policy has no item.
 *   <li>A policy that allowed because the store did not answer is only in {@code RateLimit-Policy}: its remaining
 *       permits are not known.
 * </ul>
 *
 * <p>Numbers in a structured field have at most 15 digits; larger numbers are written as the largest possible one.
 */
public final class RateLimitHeaders {
    private static final ItemTexts TEXTS = new ItemTexts();
    private static final PolicyLines LINES = new PolicyLines();

    /** Room for most items, so that the text need not be copied while it grows. */
    private static final int LIKELY_ITEM_LENGTH = 48;

    private RateLimitHeaders() {}

    /** {@code Retry-After}, {@code RateLimit-Policy} and {@code RateLimit}, if present. */
    public static Map<String, String> of(PolicyDecision decision) {
        Map<String, String> headers = new LinkedHashMap<>();
        forEach(decision, headers::put);
        return headers;
    }

    /** Calls an action with the name and the value of {@code Retry-After}, {@code RateLimit-Policy} and {@code RateLimit}, if present. */
    public static void forEach(PolicyDecision decision, BiConsumer<String, String> action) {
        long retryAfter = retryAfter(decision);
        if (retryAfter > 0) {
            action.accept("Retry-After", Long.toString(retryAfter));
        }
        List<PolicyResult> results = decision.results();
        @Nullable ItemText[] texts = new @Nullable ItemText[results.size()];
        StringBuilder limits = new StringBuilder(LIKELY_ITEM_LENGTH * texts.length);
        for (int i = 0; i < texts.length; i++) {
            PolicyResult result = results.get(i);
            if (hasItem(result)) {
                ItemText text = text(result);
                texts[i] = text;
                if (isKnown(result)) {
                    append(separate(limits, 0), text, result);
                }
            }
        }
        String policies = LINES.of(texts);
        if (!policies.isEmpty()) {
            action.accept("RateLimit-Policy", policies);
        }
        if (!limits.isEmpty()) {
            action.accept("RateLimit", limits.toString());
        }
    }

    /** The value of {@code Retry-After}; 0 if there is none. */
    public static long retryAfter(PolicyDecision decision) {
        return Seconds.retryAfter(decision);
    }

    /** Appends the value of {@code RateLimit-Policy}; nothing if there is none. */
    public static void appendPolicies(StringBuilder out, PolicyDecision decision) {
        int start = out.length();
        for (PolicyResult result : decision.results()) {
            if (hasItem(result)) {
                separate(out, start).append(text(result).policy());
            }
        }
    }

    /** Appends the value of {@code RateLimit}; nothing if there is none. */
    public static void appendLimits(StringBuilder out, PolicyDecision decision) {
        int start = out.length();
        for (PolicyResult result : decision.results()) {
            if (hasItem(result) && isKnown(result)) {
                append(separate(out, start), text(result), result);
            }
        }
    }

    private static void append(StringBuilder out, ItemText text, PolicyResult result) {
        out.append(text.name())
                .append(";r=")
                .append(remaining(result))
                .append(";t=")
                .append(reset(result));
    }

    /**
     * {@code X-RateLimit-Limit}, {@code X-RateLimit-Remaining} and {@code X-RateLimit-Reset} (in seconds from now), for
     * clients that know only these headers. They show the policy that denied, or else the policy with the fewest
     * remaining permits, the first of equals. Empty if no policy has an item.
     */
    public static Map<String, String> legacy(PolicyDecision decision) {
        PolicyResult least = null;
        for (PolicyResult result : decision.results()) {
            if (hasItem(result) && isKnown(result) && isTighter(result, least)) {
                least = result;
            }
        }
        Map<String, String> headers = new LinkedHashMap<>();
        if (least != null) {
            headers.put("X-RateLimit-Limit", Long.toString(ItemText.quota(least.limit())));
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

    private static boolean hasItem(PolicyResult result) {
        return result.mode() == Mode.ENFORCE && !(result.limit() instanceof Unlimited);
    }

    /**
     * Whether the remaining permits are known. A fresh key has permits left; 0 permits and no reset mean that nothing
     * was counted.
     */
    private static boolean isKnown(PolicyResult result) {
        Decision decision = result.decision();
        return !(decision.degraded()
                && decision.allowed()
                && decision.remaining() == 0
                && decision.resetAfterMicros() == 0);
    }

    private static StringBuilder separate(StringBuilder out, int start) {
        return out.length() > start ? out.append(", ") : out;
    }

    private static ItemText text(PolicyResult result) {
        return TEXTS.of(result.policy(), result.limit(), TimeSource.system().wallMicros());
    }

    private static long remaining(PolicyResult result) {
        return Math.min(ItemText.MAX_NUMBER, result.decision().remaining());
    }

    private static long reset(PolicyResult result) {
        if (result.limit() instanceof Blocked) {
            return 1;
        }
        Decision decision = result.decision();
        // A denial without the store has no reset time, but a retry time.
        long micros = Math.max(decision.resetAfterMicros(), decision.never() ? 0 : decision.retryAfterMicros());
        return Math.min(ItemText.MAX_NUMBER, Seconds.of(micros));
    }
}
