package io.sluice.policy.explain;

import io.sluice.Decision;
import io.sluice.Limit;
import io.sluice.policy.CurrentWindow;
import io.sluice.policy.JsonText;
import io.sluice.policy.LimitOverride;
import io.sluice.policy.TemporaryOverride;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Writes an explanation as one JSON object. */
final class ExplanationJson {
    private final StringBuilder out = new StringBuilder();

    private ExplanationJson() {}

    /** @param unused the attributes of the request that no policy uses */
    static String of(Explanation explanation, long permits, List<String> unused) {
        ExplanationJson json = new ExplanationJson();
        json.append(explanation, permits, unused);
        return json.out.toString();
    }

    private void append(Explanation explanation, long permits, List<String> unused) {
        out.append("{\"attributes\":");
        JsonText.appendQuoted(out, explanation.attributes());
        out.append(",\"unused\":");
        JsonText.appendQuoted(out, unused);
        out.append(",\"permits\":").append(permits);
        out.append(",\"allowed\":").append(explanation.allowed());
        out.append(",\"policies\":[");
        String separator = "";
        for (PolicyExplanation policy : explanation.policies()) {
            out.append(separator);
            policy(policy);
            separator = ",";
        }
        out.append("]}");
    }

    private void policy(PolicyExplanation it) {
        out.append("{\"policy\":");
        JsonText.appendQuoted(out, it.policy().name());
        out.append(",\"applies\":").append(it.applies());
        out.append(",\"reason\":");
        JsonText.appendQuoted(out, it.reason());
        out.append(",\"mode\":\"")
                .append(it.policy().mode().name().toLowerCase(Locale.ROOT))
                .append('"');
        Decision state = it.state();
        if (it.applies() && state != null) {
            out.append(",\"passed_overrides\":");
            JsonText.appendQuoted(out, it.skippedOverrides());
            override(it.override());
            out.append(",\"key\":");
            JsonText.appendQuoted(out, it.key());
            out.append(",\"limit\":");
            JsonText.appendQuoted(out, String.valueOf(it.limit()));
            if (it.factor() != null) {
                out.append(",\"factor\":").append(it.factor().toPlainString());
            }
            out.append(",\"kept\":").append(it.kept());
            state(state);
            window(it.window());
            temporary(it);
        }
        out.append('}');
    }

    private void override(@Nullable LimitOverride override) {
        if (override != null) {
            out.append(",\"override\":");
            JsonText.appendQuoted(out, override.id());
        }
    }

    private void window(@Nullable CurrentWindow window) {
        if (window != null) {
            out.append(",\"window\":{\"begin\":\"").append(window.beginText());
            out.append("\",\"end\":\"").append(window.endText()).append("\"}");
        }
    }

    private void temporary(PolicyExplanation it) {
        TemporaryOverride temporary = it.temporary();
        if (temporary != null) {
            LimitOverride override = it.override();
            Limit otherwise = override == null ? it.policy().limit() : override.limit();
            out.append(",\"temporary\":{\"id\":\"").append(temporary.id());
            out.append("\",\"expires\":\"").append(temporary.expires());
            out.append("\",\"instead_of\":");
            JsonText.appendQuoted(out, otherwise.toString());
            out.append('}');
        }
    }

    private void state(Decision state) {
        out.append(",\"state\":{\"allowed\":").append(state.allowed());
        out.append(",\"remaining\":").append(state.remaining() == Long.MAX_VALUE ? 0 : state.remaining());
        if (state.debt() > 0) {
            out.append(",\"debt\":").append(state.debt());
        }
        out.append(",\"retry_after_us\":").append(state.never() ? -1 : state.retryAfterMicros());
        out.append(",\"delay_us\":").append(state.delayMicros());
        out.append(",\"reset_after_us\":").append(state.resetAfterMicros()).append('}');
    }
}
