package io.sluice.spring.actuate;

import io.sluice.Decision;
import io.sluice.policy.CurrentWindow;
import io.sluice.policy.LimitOverride;
import io.sluice.policy.PolicyEngine;
import io.sluice.policy.explain.Explanation;
import io.sluice.policy.explain.PolicyExplanation;
import java.math.BigDecimal;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;

/** The explanation of a request as plain fields, with the names that the service uses. Times are in microseconds; -1 is never. */
final class ExplainFields {
    private final PolicyEngine engine;

    ExplainFields(PolicyEngine engine) {
        this.engine = engine;
    }

    Map<String, Object> of(Map<String, String> attributes, long permits) {
        Explanation explanation = engine.explain(attributes, permits);
        Map<String, Object> fields = new LinkedHashMap<>();
        fields.put("attributes", explanation.attributes());
        fields.put("unused", explanation.unused(attributes));
        fields.put("permits", permits);
        fields.put("allowed", explanation.allowed());
        fields.put(
                "policies",
                explanation.policies().stream().map(ExplainFields::policy).toList());
        return fields;
    }

    private static Map<String, Object> policy(PolicyExplanation it) {
        Map<String, Object> fields = new LinkedHashMap<>();
        fields.put("policy", it.policy().name());
        fields.put("applies", it.applies());
        fields.put("reason", it.reason());
        fields.put("mode", it.policy().mode().name().toLowerCase(Locale.ROOT));
        Decision state = it.state();
        if (it.applies() && state != null) {
            fields.put("passed_overrides", it.skippedOverrides());
            LimitOverride override = it.override();
            if (override != null) {
                fields.put("override", override.id());
            }
            fields.put("key", it.key());
            fields.put("limit", String.valueOf(it.limit()));
            CurrentWindow window = it.window();
            if (window != null) {
                fields.put("window", Map.of("begin", window.beginText(), "end", window.endText()));
            }
            BigDecimal factor = it.factor();
            if (factor != null) {
                fields.put("factor", factor);
            }
            fields.put("kept", it.kept());
            fields.put("state", state(state));
        }
        return fields;
    }

    /** An unlimited policy has no number of remaining permits. */
    private static Map<String, Object> state(Decision state) {
        Map<String, Object> fields = new LinkedHashMap<>();
        fields.put("allowed", state.allowed());
        if (state.remaining() != Long.MAX_VALUE) {
            fields.put("remaining", state.remaining());
        }
        if (state.debt() > 0) {
            fields.put("debt", state.debt());
        }
        fields.put("retry_after_us", state.never() ? -1 : state.retryAfterMicros());
        fields.put("delay_us", state.delayMicros());
        fields.put("reset_after_us", state.resetAfterMicros());
        fields.put("degraded", state.degraded());
        return fields;
    }
}
