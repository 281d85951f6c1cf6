package io.sluice.testkit;

import io.sluice.Decision;
import io.sluice.Limit;
import io.sluice.testkit.usage.Fraction;
import io.sluice.testkit.usage.Usage;
import java.util.HashMap;
import java.util.Map;
import java.util.WeakHashMap;

/** The model of a limit with a rate, with or without a lockout. */
final class CountingLimitModel implements LimitModel {
    private final Limit limit;
    private final KeyState fresh;
    private final long lockout;
    private final int maxEscalation;
    private final Map<String, KeyState> states = new HashMap<>();
    private final Map<ModelReservation, Receipt> receipts = new WeakHashMap<>();

    /**
     * @param limit the limit as given, with its lockout
     * @param rule the limit without its lockout
     * @param lockout the duration of a lockout in microseconds; 0 if there is none
     * @param maxEscalation how often it can double
     */
    CountingLimitModel(Limit limit, Limit rule, long lockout, int maxEscalation) {
        this.limit = limit;
        this.fresh = KeyState.fresh(Usage.fresh(rule));
        this.lockout = lockout;
        this.maxEscalation = maxEscalation;
    }

    @Override
    public Limit limit() {
        return limit;
    }

    private KeyState state(String key) {
        return states.getOrDefault(key, fresh);
    }

    /** Changes the state of a key. Every change goes through this method. */
    private void change(String key, KeyState changed) {
        long time = changed.last();
        if (changed.empty(time)) {
            forget(key);
        } else {
            states.put(key, changed);
        }
    }

    @Override
    public Verdict judge(String key, long permits, long micros) {
        KeyState state = state(key);
        long time = state.time(micros);
        boolean allowed = state.allows(permits, time);
        return new Verdict(allowed, allowed ? state.delay(time) : 0);
    }

    @Override
    public void take(String key, long permits, long micros) {
        if (permits > 0) {
            KeyState state = state(key);
            long time = state.time(micros);
            endReceipts(key, time);
            change(key, state.with(state.use().plus(permits, time), time));
        }
    }

    @Override
    public void deny(String key, long permits, long micros) {
        KeyState state = state(key);
        long time = state.time(micros);
        if (lockout > 0 && permits > 0 && !state.locked(time)) {
            int doubled = state.escalationAt(time);
            change(key, state.locked(time + (lockout << doubled), Math.min(doubled + 1, maxEscalation), time));
        }
    }

    @Override
    public Decision report(String key, long permits, Verdict verdict, long micros) {
        KeyState state = state(key);
        long time = state.time(micros);
        return new Decision(
                verdict.allowed(),
                state.remaining(time),
                verdict.allowed() ? 0 : state.retryAfter(permits, time),
                verdict.delayMicros(),
                state.resetAfter(time),
                state.use().debt(time),
                false);
    }

    @Override
    public void refund(String key, long permits, long micros) {
        KeyState state = state(key);
        long time = state.time(micros);
        if (permits > 0 && !state.use().isUnused(time)) {
            gaveBack(key, state.use().minus(Fraction.of(permits), time), time);
        }
    }

    private void gaveBack(String key, Usage left, long time) {
        change(key, state(key).with(left, time));
        receipts.replaceAll(
                (reservation, receipt) -> reservation.key().equals(key) ? receipt.atMost(left, time) : receipt);
    }

    @Override
    public void penalize(String key, long permits, long micros) {
        if (permits > 0) {
            KeyState state = state(key);
            long time = state.time(micros);
            long taken = state.use().takable(permits, time);
            endReceipts(key, time);
            change(key, state.with(state.use().plus(taken, time), time));
        }
    }

    @Override
    public void pause(String key, long duration, long micros) {
        if (duration > 0) {
            KeyState state = state(key);
            long time = state.time(micros);
            long until = Math.max(state.pausedUntil(), time + duration);
            change(key, new KeyState(state.use(), time, state.lockedUntil(), state.escalation(), until));
        }
    }

    @Override
    public long pauseLeft(String key, long micros) {
        KeyState state = state(key);
        return state.pauseLeft(state.time(micros));
    }

    @Override
    public void reset(String key) {
        forget(key);
    }

    /** Nothing is left of the reservations of a key that is unused: whether a store has forgotten it or not makes no difference. */
    private void endReceipts(String key, long time) {
        if (state(key).use().isUnused(time)) {
            receipts.keySet().removeIf(reservation -> reservation.key().equals(key));
        }
    }

    /** Forgets a key and its receipts: reservations of a forgotten key have nothing to give back. */
    private void forget(String key) {
        states.remove(key);
        receipts.keySet().removeIf(reservation -> reservation.key().equals(key));
    }

    @Override
    public long untilUsable(String key, long permits, long micros) {
        KeyState state = state(key);
        return state.untilUsable(permits, state.time(micros));
    }

    @Override
    public boolean allowsDebt(String key, long permits, long micros) {
        KeyState state = state(key);
        return pauseLeft(key, micros) == 0
                && state.use().allowsDebt()
                && state.use().takable(permits, state.time(micros)) == permits;
    }

    @Override
    public void take(ModelReservation reservation, long micros) {
        String key = reservation.key();
        long permits = reservation.permits();
        if (permits > 0) {
            long time = state(key).time(micros);
            take(key, permits, micros);
            receipts.put(
                    reservation, new Receipt(permits, time, state(key).use().receipt(permits, time)));
        }
    }

    @Override
    public void cancel(ModelReservation reservation, long micros) {
        Receipt receipt = receipts.remove(reservation);
        if (receipt != null) {
            KeyState state = state(reservation.key());
            long time = state.time(micros);
            Usage left = receipt.cancel(state.use(), time);
            if (left != state.use() && !state.use().isUnused(time)) {
                gaveBack(reservation.key(), left, time);
            }
        }
    }

    @Override
    public void settle(ModelReservation reservation, long actual, long micros) {
        String key = reservation.key();
        long more = actual - reservation.permits();
        Receipt receipt = receipts.remove(reservation);
        if (more > 0) {
            penalize(key, more, micros);
        } else if (more < 0 && receipt != null) {
            KeyState state = state(key);
            long time = state.time(micros);
            Usage left = receipt.undo(-more, state.use(), time);
            if (left != state.use() && !state.use().isUnused(time)) {
                gaveBack(key, left, time);
            }
        }
    }

    @Override
    public LimitModel copy() {
        CountingLimitModel copy = new CountingLimitModel(limit, fresh.use().limit(), lockout, maxEscalation);
        copy.states.putAll(states);
        return copy;
    }

    @Override
    public boolean isLike(LimitModel other) {
        return other instanceof CountingLimitModel counts && limit.equals(counts.limit) && states.equals(counts.states);
    }

    @Override
    public LimitModel update(Limit next, long micros) {
        LimitModel successor = LimitModel.of(next);
        if (successor instanceof CountingLimitModel counts) {
            Limit rule = counts.fresh.use().limit();
            receipts.forEach((reservation, receipt) -> {
                long time = state(reservation.key()).time(micros);
                counts.receipts.put(reservation, receipt.convertTo(rule, time));
            });
            states.forEach((key, state) -> {
                long time = state.time(micros);
                int escalation = Math.min(state.escalationAt(time), counts.maxEscalation);
                Usage carried = state.use().convertTo(rule, time);
                counts.change(key, new KeyState(carried, time, state.lockedUntil(), escalation, state.pausedUntil()));
            });
        } else {
            states.forEach((key, state) -> {
                long time = state.time(micros);
                successor.pause(key, state.pauseLeft(time), time);
            });
        }
        return successor;
    }
}
