package io.sluice.spring.actuate;

import io.sluice.policy.Alert;
import io.sluice.policy.AlertEvent;
import io.sluice.policy.Counts;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The alerts that fire as plain fields. */
final class AlertFields {
    private AlertFields() {}

    static List<Map<String, Object>> of(List<AlertEvent> firing) {
        return firing.stream().map(AlertFields::alert).toList();
    }

    private static Map<String, Object> alert(AlertEvent event) {
        Alert alert = event.alert();
        Map<String, Object> fields = new LinkedHashMap<>();
        fields.put("alert", alert.name());
        String policy = alert.policy();
        if (policy != null) {
            fields.put("policy", policy);
        }
        fields.put("when", alert.when().toString());
        fields.put("over_seconds", alert.over().toSeconds());
        fields.put("since", event.at().toString());
        fields.put("counts", counts(event.counts()));
        return fields;
    }

    private static Map<String, Object> counts(Counts counts) {
        Map<String, Object> fields = new LinkedHashMap<>();
        fields.put("total", counts.total());
        fields.put("allowed", counts.allowed());
        fields.put("denied", counts.denied());
        fields.put("shadow_denied", counts.shadowDenied());
        fields.put("degraded", counts.degraded());
        if (counts.evicted() > 0) {
            fields.put("evicted", counts.evicted());
        }
        if (counts.debt() > 0) {
            fields.put("debt", counts.debt());
        }
        return fields;
    }
}
