package io.sluice.policy;

import io.sluice.Decision;
import io.sluice.Unlimited;

/** Writes a decision as JSON. */
final class DecisionJson {
    private DecisionJson() {}

    /** Appends all fields, and the closing brace. */
    static void appendFields(StringBuilder out, PolicyDecision decision) {
        out.append("\"allowed\":").append(decision.allowed());
        out.append(",\"retry_after_us\":").append(orNever(decision.retryAfterMicros()));
        out.append(",\"delay_us\":").append(decision.delayMicros());
        out.append(",\"violated\":");
        JsonText.appendQuoted(out, decision.violated());
        out.append(",\"results\":[");
        String separator = "";
        for (PolicyResult result : decision.results()) {
            out.append(separator);
            append(out, result);
            separator = ",";
        }
        out.append("]}");
    }

    private static void append(StringBuilder out, PolicyResult result) {
        Decision decision = result.decision();
        boolean counts = !(result.limit() instanceof Unlimited);
        out.append("{\"policy\":");
        JsonText.appendQuoted(out, result.policy());
        out.append(",\"key\":");
        JsonText.appendQuoted(out, result.key());
        out.append(",\"limit\":").append(LimitJson.quoted(result.limit()));
        out.append(",\"mode\":").append(mode(result.mode()));
        out.append(",\"allowed\":").append(decision.allowed());
        out.append(",\"remaining\":").append(counts ? decision.remaining() : 0);
        out.append(",\"retry_after_us\":").append(counts ? orNever(decision.retryAfterMicros()) : 0);
        out.append(",\"delay_us\":").append(counts ? decision.delayMicros() : 0);
        out.append(",\"reset_after_us\":").append(counts ? decision.resetAfterMicros() : 0);
        out.append(decision.degraded() ? ",\"degraded\":true}" : "}");
    }

    private static String mode(Mode mode) {
        return switch (mode) {
            case ENFORCE -> "\"enforce\"";
            case SHADOW -> "\"shadow\"";
            case OFF -> "\"off\"";
        };
    }

    private static long orNever(long micros) {
        return micros == Decision.NEVER ? -1 : micros;
    }
}
