package io.sluice.testkit;

import io.sluice.Decision;
import io.sluice.Limit;
import io.sluice.testkit.usage.BinarySearch;
import io.sluice.testkit.usage.Usage;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;

/** The model of a limit of concurrency: when each permit that was entered lapses. */
final class HoldLimitModel implements LimitModel {
    private final Limit limit;
    private final long hold;
    private final Map<String, Held> states = new HashMap<>();

    /**
     * The state of one key. Immutable.
     *
     * @param last the time of the latest change
     * @param pausedUntil the end of the latest pause
     * @param lapses when the permits of each request lapse
     */
    private record Held(long last, long pausedUntil, Map<ModelReservation, Long> lapses) {
        static final Held NONE = new Held(Long.MIN_VALUE, Long.MIN_VALUE, Map.of());

        long time(long micros) {
            return Math.max(micros, last);
        }

        /** The permits that are held: a permit that lapses now is free. */
        long permits(long time) {
            return lapses.entrySet().stream()
                    .filter(entry -> entry.getValue() > time)
                    .mapToLong(entry -> entry.getKey().entering())
                    .sum();
        }

        long pauseLeft(long time) {
            return pausedUntil > time ? pausedUntil - time : 0;
        }

        boolean isHeld(ModelReservation permit, long time) {
            return lapses.getOrDefault(permit, Long.MIN_VALUE) > time;
        }

        /** This state with a permit that lapses at a time; without it if that is not after the present. */
        Held with(ModelReservation permit, long lapse, long time) {
            Map<ModelReservation, Long> changed = new LinkedHashMap<>(lapses);
            changed.put(permit, lapse);
            changed.values().removeIf(each -> each <= time);
            return new Held(time, pausedUntil, changed);
        }
    }

    HoldLimitModel(Limit limit) {
        this.limit = limit;
        this.hold = Usage.micros(limit.refillTime());
    }

    @Override
    public Limit limit() {
        return limit;
    }

    @Override
    public boolean holds() {
        return true;
    }

    private Held state(String key) {
        return states.getOrDefault(key, Held.NONE);
    }

    private void change(String key, Held changed) {
        if (changed.permits(changed.last()) == 0 && changed.pauseLeft(changed.last()) == 0) {
            states.remove(key);
        } else {
            states.put(key, changed);
        }
    }

    private boolean fits(Held state, long permits, long time) {
        return permits <= limit.capacity() - state.permits(time);
    }

    @Override
    public Verdict judge(String key, long permits, long micros) {
        Held state = state(key);
        long time = state.time(micros);
        return new Verdict(state.pauseLeft(time) == 0 && fits(state, permits, time), 0);
    }

    @Override
    public Decision report(String key, long permits, Verdict verdict, long micros) {
        Held state = state(key);
        long time = state.time(micros);
        long free = limit.capacity() - state.permits(time);
        long unused = BinarySearch.least(hold, wait -> state.permits(time + wait) == 0);
        return new Decision(
                verdict.allowed(),
                state.pauseLeft(time) > 0 ? 0 : Math.max(0, free),
                verdict.allowed() ? 0 : untilUsable(key, permits, micros),
                0,
                Math.max(unused, state.pauseLeft(time)),
                Math.max(0, -free),
                false);
    }

    @Override
    public long untilUsable(String key, long permits, long micros) {
        if (permits > limit.capacity()) {
            return Decision.NEVER;
        }
        Held state = state(key);
        long time = state.time(micros);
        return Math.max(BinarySearch.least(hold, wait -> fits(state, permits, time + wait)), state.pauseLeft(time));
    }

    @Override
    public void take(ModelReservation reservation, long micros) {
        if (reservation.entering() > 0) {
            Held state = state(reservation.key());
            long time = state.time(micros);
            change(reservation.key(), state.with(reservation, time + hold, time));
        }
    }

    @Override
    public boolean isHeld(ModelReservation permit, long micros) {
        Held state = state(permit.key());
        return state.isHeld(permit, state.time(micros));
    }

    @Override
    public boolean renew(ModelReservation permit, long micros) {
        boolean held = isHeld(permit, micros);
        if (held) {
            take(permit, micros);
        }
        return held;
    }

    @Override
    public boolean leave(ModelReservation permit, long micros) {
        boolean held = isHeld(permit, micros);
        if (held) {
            Held state = state(permit.key());
            long time = state.time(micros);
            change(permit.key(), state.with(permit, Long.MIN_VALUE, time));
        }
        return held;
    }

    @Override
    public void pause(String key, long duration, long micros) {
        if (duration > 0) {
            Held state = state(key);
            long time = state.time(micros);
            states.put(key, new Held(time, Math.max(state.pausedUntil(), time + duration), state.lapses()));
        }
    }

    @Override
    public long pauseLeft(String key, long micros) {
        Held state = state(key);
        return state.pauseLeft(state.time(micros));
    }

    @Override
    public void reset(String key) {
        states.remove(key);
    }

    @Override
    public LimitModel copy() {
        HoldLimitModel copy = new HoldLimitModel(limit);
        copy.states.putAll(states);
        return copy;
    }

    @Override
    public boolean isLike(LimitModel other) {
        return other instanceof HoldLimitModel holds && limit.equals(holds.limit) && states.equals(holds.states);
    }

    /** A permit keeps its lapse: the hold of the new limit counts from its next renewal on. */
    @Override
    public LimitModel update(Limit next, long micros) {
        LimitModel successor = LimitModel.of(next);
        states.forEach((key, state) -> {
            long time = state.time(micros);
            if (successor instanceof HoldLimitModel holds) {
                Map<ModelReservation, Long> left = new LinkedHashMap<>(state.lapses());
                left.values().removeIf(lapse -> lapse <= time);
                holds.change(key, new Held(time, state.pausedUntil(), left));
            } else {
                successor.pause(key, state.pauseLeft(time), time);
            }
        });
        return successor;
    }

    // --- permits are held, not used up: what counts by number changes nothing ---

    @Override
    public void take(String key, long permits, long micros) {}

    @Override
    public void deny(String key, long permits, long micros) {}

    @Override
    public void refund(String key, long permits, long micros) {}

    @Override
    public void penalize(String key, long permits, long micros) {}

    @Override
    public boolean allowsDebt(String key, long permits, long micros) {
        return false;
    }

    @Override
    public void cancel(ModelReservation reservation, long micros) {}

    @Override
    public void settle(ModelReservation reservation, long actual, long micros) {}
}
