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

/** A limiter as it was read from a snapshot; no store knows of it yet. */
final class SnapshotLimiter {
    private final String name;
    private final List<Limit> limits;
    private final List<Part> parts;
    private long keys;

    /** The keys of one limit. */
    private static final class Part {
        final Terms terms;
        final List<String> keys = new ArrayList<>();
        final List<State> states = new ArrayList<>();
        long floor = Long.MIN_VALUE;

        Part(Terms terms) {
            this.terms = terms;
        }
    }

    /** @param terms of each space, in the order of the spaces */
    SnapshotLimiter(String name, List<Limit> limits, List<Terms> terms) {
        this.name = name;
        this.limits = limits;
        this.parts = terms.stream().map(Part::new).toList();
    }

    String name() {
        return name;
    }

    List<Limit> limits() {
        return limits;
    }

    /** How many keys were read. */
    long keys() {
        return keys;
    }

    /** Reads a block of keys. */
    void read(SnapshotInput in, SnapshotClock clock) throws IOException {
        Part part = parts.get((int) in.number("space", parts.size() - 1));
        Terms terms = part.terms;
        long base = clock.on(terms);
        for (; in.number("one more key", terms.stateful || in.hasPauses() ? 1 : 0) == 1; keys++) {
            String key = in.text("key");
            State state = read(terms, in, base);
            long t = state.at(terms.since);
            if (state.isFresh(t)) {
                part.floor = Math.max(part.floor, t);
            } else {
                part.keys.add(key);
                part.states.add(state);
            }
        }
        part.floor = Math.max(part.floor, base + in.signed("floor", Exact.FARTHEST));
    }

    /** Reads the state of a key. */
    static State read(Terms terms, SnapshotInput in, long base) throws IOException {
        State state = terms.fresh();
        state.restore(in, base);
        long t = state.at(terms.since);
        if (terms.atomic && !state.isFresh(t)) {
            // A single word knows no time of its own: it holds what is in use now.
            state.advance(t);
            state.changed(terms.since);
        }
        return state;
    }

    /** Hands the keys over to a store. */
    Space[] spaces(Keys keys, TimeSource time) {
        Space[] spaces = new Space[parts.size()];
        for (int i = 0; i < spaces.length; i++) {
            Part part = parts.get(i);
            spaces[i] = new Space(part.terms, part.keys.size(), keys, time);
            spaces[i].raiseFloor(part.terms, part.floor);
            for (int k = 0; k < part.keys.size(); k++) {
                spaces[i].restore(part.keys.get(k), part.states.get(k));
            }
        }
        return spaces;
    }
}
