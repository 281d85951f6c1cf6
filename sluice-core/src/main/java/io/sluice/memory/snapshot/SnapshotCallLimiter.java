package io.sluice.memory.snapshot;

import io.sluice.Limit;
import io.sluice.TimeSource;
import io.sluice.exact.Exact;
import io.sluice.memory.keys.KeyRegistry;
import io.sluice.memory.keys.KeyTable;
import io.sluice.memory.state.ActiveLimit;
import io.sluice.memory.state.State;
import io.sluice.spi.RecentLimits;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A call limiter that was read from a snapshot, before it is added to a store. */
public final class SnapshotCallLimiter {
    private final String name;
    private final RecentLimits<ActiveLimit> recent;
    private final ActiveLimit none;
    private final List<String> keys = new ArrayList<>();
    private final List<State> states = new ArrayList<>();
    private long count;
    private long earliestTime = Long.MIN_VALUE;
    private long earliestWallTime = Long.MIN_VALUE;

    SnapshotCallLimiter(String name, TimeSource time) {
        this.name = name;
        this.recent = new RecentLimits<>(limit -> new ActiveLimit(limit, time));
        this.none = new ActiveLimit(Limit.unlimited(), time);
    }

    public String name() {
        return name;
    }

    /** How many keys were read. */
    long keys() {
        return count;
    }

    /** Reads a block of keys. */
    void read(SnapshotInput in, SnapshotClock clock) throws IOException {
        ActiveLimit active = null;
        for (; in.number("one more key", 1) == 1; count++) {
            String key = in.text("key");
            active = active(in, active);
            State state = SnapshotLimiter.read(active, in, clock.on(active));
            long t = state.notBeforeLast(active.since);
            if (!state.isFresh(t)) {
                keys.add(key);
                states.add(state);
            } else if (active.aligned) {
                earliestWallTime = Math.max(earliestWallTime, t);
            } else {
                earliestTime = Math.max(earliestTime, t);
            }
        }
        earliestTime = Math.max(earliestTime, clock.micros() + in.signed("earliest time", Exact.MAX_TIME_SPAN));
        earliestWallTime =
                Math.max(earliestWallTime, clock.wallMicros() + in.signed("earliest time", Exact.MAX_TIME_SPAN));
    }

    private ActiveLimit active(SnapshotInput in, @Nullable ActiveLimit before) throws SnapshotException {
        String text = in.text("limit");
        if (text.isEmpty() && before != null) {
            return before;
        }
        try {
            ActiveLimit active = recent.get(Limit.parse(text));
            if (active.stateful) {
                return active;
            }
        } catch (IllegalArgumentException e) {
            throw in.refused("call limiter \"" + name + "\": " + e.getMessage());
        }
        throw in.refused("call limiter \"" + name + "\": " + text + " (expected: a limit that keeps state)");
    }

    /** The keys as a table of a store. */
    public KeyTable table(KeyRegistry registry, TimeSource time) {
        KeyTable table = new KeyTable(none, keys.size(), registry, time);
        table.raiseEarliestTimes(earliestTime, earliestWallTime);
        for (int i = 0; i < keys.size(); i++) {
            table.restore(keys.get(i), states.get(i));
        }
        return table;
    }
}
