package io.sluice.memory.snapshot;

import io.sluice.Limit;
import io.sluice.TimeSource;
import io.sluice.exact.Exact;
import io.sluice.memory.keys.KeyRegistry;
import io.sluice.memory.keys.KeyTable;
import io.sluice.memory.state.ActiveLimit;
import io.sluice.memory.state.State;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/** A limiter that was read from a snapshot, before it is added to a store. */
public final class SnapshotLimiter {
    private final String name;
    private final List<Limit> limits;
    private final List<Part> parts;
    private long keys;

    /** The keys of one limit. */
    private static final class Part {
        final ActiveLimit active;
        final List<String> keys = new ArrayList<>();
        final List<State> states = new ArrayList<>();
        long earliestTime = Long.MIN_VALUE;

        Part(ActiveLimit active) {
            this.active = active;
        }
    }

    /** @param active the active limit of each table, in the order of the tables */
    SnapshotLimiter(String name, List<Limit> limits, List<ActiveLimit> active) {
        this.name = name;
        this.limits = limits;
        this.parts = active.stream().map(Part::new).toList();
    }

    public String name() {
        return name;
    }

    public List<Limit> limits() {
        return limits;
    }

    /** How many keys were read. */
    long keys() {
        return keys;
    }

    /** Reads a block of keys. */
    void read(SnapshotInput in, SnapshotClock clock) throws IOException {
        Part part = parts.get((int) in.number("table", parts.size() - 1));
        ActiveLimit active = part.active;
        long base = clock.on(active);
        for (; in.number("one more key", active.stateful || in.version() > 1 ? 1 : 0) == 1; keys++) {
            String key = in.text("key");
            State state = read(active, in, base);
            long t = state.notBeforeLast(active.since);
            if (state.isFresh(t)) {
                part.earliestTime = Math.max(part.earliestTime, t);
            } else {
                part.keys.add(key);
                part.states.add(state);
            }
        }
        part.earliestTime = Math.max(part.earliestTime, base + in.signed("earliest time", Exact.MAX_TIME_SPAN));
    }

    /** Reads the state of a key. */
    static State read(ActiveLimit active, SnapshotInput in, long base) throws IOException {
        State state = active.fresh();
        state.restore(in, base);
        long t = state.notBeforeLast(active.since);
        if (active.atomic && !state.isFresh(t)) {
            // An AtomicBucket has no time of its own: it holds the use as of now.
            state.advance(t);
            state.changedAt(active.since);
        }
        return state;
    }

    /** The keys as tables of a store, one for each limit. */
    public List<KeyTable> tables(KeyRegistry registry, TimeSource time) {
        // Older releases saved the tables in another order than the limits.
        List<Part> left = new ArrayList<>(parts);
        return limits.stream()
                .map(limit -> {
                    Part next = left.stream()
                            .filter(part -> part.active.limit.equals(limit))
                            .findFirst()
                            .orElse(left.get(0));
                    left.remove(next);
                    return table(next, registry, time);
                })
                .toList();
    }

    private static KeyTable table(Part part, KeyRegistry registry, TimeSource time) {
        KeyTable table = new KeyTable(part.active, part.keys.size(), registry, time);
        table.raiseEarliestTime(part.active, part.earliestTime);
        for (int k = 0; k < part.keys.size(); k++) {
            table.restore(part.keys.get(k), part.states.get(k));
        }
        return table;
    }
}
