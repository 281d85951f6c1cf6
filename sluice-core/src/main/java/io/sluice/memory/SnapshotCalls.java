package io.sluice.memory;

import io.sluice.Limit;
import io.sluice.TimeSource;
import io.sluice.exact.Exact;
import io.sluice.memory.keys.Keys;
import io.sluice.memory.keys.Space;
import io.sluice.memory.state.State;
import io.sluice.memory.state.Terms;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A call limiter as it was read from a snapshot; no store knows of it yet. */
final class SnapshotCalls {
    private final String name;
    private final RecentTerms recent;
    private final Terms none;
    private final List<String> keys = new ArrayList<>();
    private final List<State> states = new ArrayList<>();
    private long count;
    private long floor = Long.MIN_VALUE;
    private long alignedFloor = Long.MIN_VALUE;

    SnapshotCalls(String name, TimeSource time) {
        this.name = name;
        this.recent = new RecentTerms(time);
        this.none = new Terms(Limit.unlimited(), time);
    }

    String name() {
        return name;
    }

    /** How many keys were read. */
    long keys() {
        return count;
    }

    /** Reads a block of keys. */
    void read(SnapshotInput in, SnapshotClock clock) throws IOException {
        Terms terms = null;
        for (; in.number("one more key", 1) == 1; count++) {
            String key = in.text("key");
            terms = terms(in, terms);
            State state = SnapshotLimiter.read(terms, in, clock.on(terms));
            long t = state.at(terms.since);
            if (!state.isFresh(t)) {
                keys.add(key);
                states.add(state);
            } else if (terms.aligned) {
                alignedFloor = Math.max(alignedFloor, t);
            } else {
                floor = Math.max(floor, t);
            }
        }
        floor = Math.max(floor, clock.micros() + in.signed("floor", Exact.FARTHEST));
        alignedFloor = Math.max(alignedFloor, clock.wallMicros() + in.signed("floor", Exact.FARTHEST));
    }

    private Terms terms(SnapshotInput in, @Nullable Terms before) throws SnapshotException {
        String text = in.text("limit");
        if (text.isEmpty() && before != null) {
            return before;
        }
        try {
            Terms terms = recent.of(Limit.parse(text));
            if (terms.stateful) {
                return terms;
            }
        } catch (IllegalArgumentException e) {
            throw in.refused("call limiter \"" + name + "\": " + e.getMessage());
        }
        throw in.refused("call limiter \"" + name + "\": " + text + " (expected: a limit that keeps state)");
    }

    /** Hands the keys over to a store. */
    Space space(Keys all, TimeSource time) {
        Space space = new Space(none, keys.size(), all, time);
        space.raiseFloors(floor, alignedFloor);
        for (int i = 0; i < keys.size(); i++) {
            space.restore(keys.get(i), states.get(i));
        }
        return space;
    }
}
