package io.sluice.memory;

import io.sluice.TimeSource;
import io.sluice.memory.keys.KeyTable;
import io.sluice.memory.keys.LockedKey;
import io.sluice.memory.state.ConcurrencyState;
import io.sluice.memory.state.DecisionTime;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/*
 * Holds of several keys change together: all are renewed, or none. So all keys are locked first, in the order in which decisions
 * lock them.
 */
/** Renews and gives back holds. */
final class JointHolds {
    /**
     * A hold of one key.
     *
     * @param limiter null if it is not known, so that nothing is held
     */
    record Hold(@Nullable MemoryChargeable limiter, String key, long id) {
        List<KeyTable> tables() {
            return limiter == null ? List.of() : List.of(limiter.tables());
        }
    }

    /** A key of one limit. */
    private record Place(KeyTable table, String key) {}

    /** A key of one limit, locked once. */
    private record Part(KeyTable table, String key, LockedKey locked) {
        @Nullable
        ConcurrencyState state() {
            return locked.state instanceof ConcurrencyState state ? state : null;
        }
    }

    private final List<Hold> holds;
    private final TimeSource time;

    /** In the order in which they were locked. */
    private final Map<Place, Part> parts = new LinkedHashMap<>();

    private JointHolds(List<Hold> holds, TimeSource time) {
        this.holds = holds;
        this.time = time;
    }

    /** How many of the holds were given back. */
    static long leave(List<Hold> holds, boolean dropped, TimeSource time) {
        long left = new JointHolds(holds, time).locked(all -> all.leave(dropped));
        if (left > 0) {
            for (Hold hold : holds) {
                if (hold.limiter() != null) {
                    hold.limiter().gaveBack(hold.key());
                }
            }
        }
        return left;
    }

    /** The microseconds for which all are held now; 0 if nothing was renewed, because one is not held any more. */
    static long renew(List<Hold> holds, TimeSource time) {
        return new JointHolds(holds, time).locked(JointHolds::renew);
    }

    /** Whether all are held. */
    static boolean areHeld(List<Hold> holds, TimeSource time) {
        return new JointHolds(holds, time).locked(all -> all.areHeld() ? 1 : 0) > 0;
    }

    private long locked(ToLongFunction<JointHolds> task) {
        List<Place> places = holds.stream()
                .flatMap(hold -> hold.tables().stream().map(table -> new Place(table, hold.key())))
                .distinct()
                .sorted((one, other) -> one.table.id != other.table.id
                        ? Integer.compare(one.table.id, other.table.id)
                        : one.key.compareTo(other.key))
                .toList();
        try {
            DecisionTime moment = new DecisionTime(time);
            for (Place place : places) {
                parts.put(place, new Part(place.table, place.key, place.table.lockExisting(place.key)));
            }
            parts.values().forEach(part -> part.locked.readTime(moment));
            return task.applyAsLong(this);
        } finally {
            parts.values().forEach(part -> part.locked.unlock());
            if (!parts.isEmpty()) {
                places.get(0).table.makeRoom();
            }
        }
    }

    /** The states that may have a hold: of the limits of concurrency. */
    private List<Part> partsOf(Hold hold) {
        List<Part> found = new ArrayList<>();
        for (KeyTable table : hold.tables()) {
            Part part = parts.get(new Place(table, hold.key()));
            if (part != null && part.state() != null) {
                found.add(part);
            }
        }
        return found;
    }

    private static boolean isHeld(Part part, long id) {
        ConcurrencyState state = part.state();
        return state != null && state.isHeld(id, part.locked.t());
    }

    private long leave(boolean dropped) {
        long left = 0;
        for (Hold hold : holds) {
            for (Part part : partsOf(hold)) {
                ConcurrencyState state = part.state();
                if (state != null && state.leave(hold.id(), dropped, part.locked.t())) {
                    left++;
                    part.table.useReduced(part.key);
                }
            }
        }
        return left;
    }

    private boolean areHeld() {
        for (Hold hold : holds) {
            // An update may have added or removed limits since. So one limit that holds it is enough.
            if (partsOf(hold).stream().noneMatch(part -> isHeld(part, hold.id()))) {
                return false;
            }
        }
        return true;
    }

    private long renew() {
        if (!areHeld()) {
            return 0;
        }
        long shortest = Long.MAX_VALUE;
        for (Hold hold : holds) {
            for (Part part : partsOf(hold)) {
                ConcurrencyState state = part.state();
                if (state != null && state.renew(hold.id(), part.locked.t())) {
                    shortest = Math.min(shortest, state.active.holdMicros);
                }
            }
        }
        return shortest;
    }
}
