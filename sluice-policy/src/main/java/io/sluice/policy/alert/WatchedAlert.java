package io.sluice.policy.alert;

import io.sluice.policy.Alert;
import io.sluice.policy.AlertEvent;
import io.sluice.policy.Counts;
import java.time.Instant;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** One alert, what it looks back on, and whether it fires. Not thread-safe. */
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

    /** What was told when it began to fire; null if it does not. */
    @Nullable
    AlertEvent firing() {
        return firing;
    }

    /** Looks at the cumulative counts and returns what is to be told, if anything changed. */
    @Nullable
    AlertEvent look(long now, Counts soFar, Instant at) {
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

    /** Fires no more; returns what is to be told if it did. */
    @Nullable
    AlertEvent end(Instant at) {
        if (firing == null) {
            return null;
        }
        firing = null;
        return new AlertEvent(alert, false, counts, at);
    }
}
