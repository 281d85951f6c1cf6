package io.sluice.http;

import io.sluice.policy.JsonText;
import io.sluice.policy.PolicyDecision;
import java.util.List;

/**
 * The response body for a denied request: a problem document (RFC 9457).
 *
 * @param detail the advice for the client
 * @param violatedPolicies the names of the policies that denied the request
 */
public record QuotaExceeded(String detail, List<String> violatedPolicies) {
    /** The status of the response. */
    public static final int STATUS = 429;

    /** The {@code Content-Type} of the response. */
    public static final String CONTENT_TYPE = "application/problem+json";

    /** The type of the problem. */
    public static final String TYPE = "https://iana.org/assignments/http-problem-types#quota-exceeded";

    /** The title of the problem type. */
    public static final String TITLE = "Quota exceeded";

    public QuotaExceeded {
        violatedPolicies = List.copyOf(violatedPolicies);
    }

    /** The body for a denied decision. */
    public static QuotaExceeded of(PolicyDecision decision) {
        long seconds = Seconds.retryAfter(decision);
        String detail = seconds == 0
                ? "Trying again will not help: this request is more than will ever be allowed."
                : "Try again in " + seconds + (seconds == 1 ? " second." : " seconds.");
        return new QuotaExceeded(detail, decision.violated());
    }

    /** The document as JSON, in one line. */
    public String toJson() {
        return toJson(STATUS);
    }

    /** The document for a response with another status, which some proxies need. */
    public String toJson(int status) {
        StringBuilder out = new StringBuilder(256);
        out.append("{\"type\":\"").append(TYPE).append("\",\"title\":\"").append(TITLE);
        out.append("\",\"status\":").append(status).append(",\"detail\":");
        JsonText.appendQuoted(out, detail);
        out.append(",\"violated-policies\":");
        JsonText.appendQuoted(out, violatedPolicies);
        return out.append('}').toString();
    }
}
