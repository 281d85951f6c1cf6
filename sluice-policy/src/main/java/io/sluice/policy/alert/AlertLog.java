package io.sluice.policy.alert;

import io.sluice.policy.Alert;
import io.sluice.policy.AlertEvent;
import io.sluice.policy.AlertListener;
import io.sluice.policy.JsonText;
import java.lang.System.Logger.Level;
import java.time.Duration;

/** Logs the alerts whose targets include {@code log}. */
final class AlertLog implements AlertListener {
    /** The target for the log. */
    static final String NAME = "log";

    static final System.Logger LOG = System.getLogger("io.sluice.policy");

    @Override
    public void changed(AlertEvent event) {
        if (event.alert().targets().contains(NAME)) {
            LOG.log(event.firing() ? Level.WARNING : Level.INFO, text(event));
        }
    }

    /** {@code alert "busy" firing: policy "login", denied > 5 over 1m: total 10, allowed 1, ...}. */
    static String text(AlertEvent event) {
        Alert alert = event.alert();
        String whose = alert.policy() == null ? "all requests" : "policy " + JsonText.quoted(alert.policy());
        return "alert " + JsonText.quoted(alert.name()) + (event.firing() ? " firing: " : " resolved: ") + whose + ", "
                + alert.when() + " over " + text(alert.over()) + ": " + event.counts();
    }

    /** As in a policy file, if the duration is in whole seconds. */
    private static String text(Duration time) {
        if (time.toNanosPart() != 0) {
            return time.toString();
        }
        long seconds = time.toSeconds();
        if (seconds % 86_400 == 0) {
            return seconds / 86_400 + "d";
        }
        if (seconds % 3600 == 0) {
            return seconds / 3600 + "h";
        }
        return seconds % 60 == 0 ? seconds / 60 + "m" : seconds + "s";
    }
}
