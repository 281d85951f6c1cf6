package io.sluice.policy.alert;

import io.sluice.policy.Alert;
import io.sluice.policy.AlertEvent;
import io.sluice.policy.Counts;
import java.time.Instant;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** One alert with the history of its counts and its state. Not thread-safe. */
final class WatchedAlert {
    private final Alert alert;
    private final CountHistory history;
    private Counts counts = Counts.NONE;
    private @Nullable AlertEvent firing;

    WatchedAlert(Alert alert, long now, Counts soFar) {
        this.alert = alert;
        history = new CountHistory(TimeUnit.MICROSECONDS.convert(alert.over()), now, soFar);
    }

    Alert alert() {
        return alert;
    }

    /** The event of its start; null if it does not fire. */
    @Nullable
    AlertEvent firing() {
        return firing;
    }

    /** Evaluates the condition on the cumulative counts; returns the event if the state has changed, else null. */
    @Nullable
    AlertEvent evaluate(long now, Counts soFar, Instant at) {
        counts = history.add(now, soFar);
        boolean holds = counts.total() >= alert.atLeast()
                && alert.when().holds(counts)
                && (!alert.when().needsWholePeriod() || history.isWhole(now));
        if (!holds) {
            return end(at);
        }
        if (firing != null) {
            return null;
        }
        firing = new AlertEvent(alert, true, counts, at);
        return firing;
    }

    /** Ends the alert; returns the event if it was firing, else null. */
    @Nullable
    AlertEvent end(Instant at) {
        if (firing == null) {
            return null;
        }
        firing = null;
        return new AlertEvent(alert, false, counts, at);
    }
}
