package io.sluice.server.alerts;

import io.sluice.policy.Alert;
import io.sluice.policy.AlertEvent;
import io.sluice.policy.Counts;
import io.vertx.core.json.JsonObject;
import java.time.Instant;

/** Writes the JSON body that is posted for an alert. */
final class AlertJson {
    private AlertJson() {}

    /** @param since the time at which the alert began to fire */
    static String of(AlertEvent event, Instant since) {
        Alert alert = event.alert();
        Counts counts = event.counts();
        JsonObject json = new JsonObject()
                .put("alert", alert.name())
                .put("state", event.firing() ? "firing" : "resolved")
                .put("policy", alert.policy())
                .put("when", alert.when().toString())
                .put("over_seconds", alert.over().toSeconds())
                .put("since", since.toString())
                .put("at", event.at().toString());
        JsonObject counted = new JsonObject()
                .put("total", counts.total())
                .put("allowed", counts.allowed())
                .put("denied", counts.denied())
                .put("shadow_denied", counts.shadowDenied())
                .put("degraded", counts.degraded());
        if (counts.evicted() > 0) {
            counted.put("evicted", counts.evicted());
        }
        if (counts.debt() > 0) {
            counted.put("debt", counts.debt());
        }
        return json.put("counts", counted).encode();
    }
}
