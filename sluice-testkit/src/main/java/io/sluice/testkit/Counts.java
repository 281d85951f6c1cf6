package io.sluice.testkit;

import io.sluice.Decision;
import io.sluice.Limit;
import java.math.BigInteger;
import java.util.HashMap;
import java.util.Map;
import java.util.WeakHashMap;

/** A limit with a rate, perhaps with a lockout. */
final class Counts implements Ledger {
    private final Limit limit;
    private final KeyState fresh;
    private final long lockout;
    private final Map<String, KeyState> states = new HashMap<>();
    private final Map<Hold, Receipt> receipts = new WeakHashMap<>();

    /**
     * @param limit as it was said
     * @param rule the limit without its lockout
     * @param lockout in microseconds; 0 if there is none
     */
    Counts(Limit limit, Limit rule, long lockout) {
        this.limit = limit;
        this.fresh = KeyState.fresh(Use.none(rule));
        this.lockout = lockout;
    }

    @Override
    public Limit limit() {
        return limit;
    }

    private KeyState state(String key) {
        return states.getOrDefault(key, fresh);
    }

    /** Every change of a state goes through here. */
    private void change(String key, Use use, long lockedUntil, long time) {
        change(key, new KeyState(use, time, lockedUntil, state(key).pausedUntil()));
    }

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
            change(key, state.use().plus(permits, time), state.lockedUntil(), time);
        }
    }

    @Override
    public void deny(String key, long permits, long micros) {
        KeyState state = state(key);
        long time = state.time(micros);
        if (lockout > 0 && permits > 0 && !state.locked(time)) {
            change(key, state.use(), time + lockout, time);
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
                state.resetAfter(time));
    }

    @Override
    public void refund(String key, long permits, long micros) {
        giveBack(key, Fraction.of(permits), micros);
    }

    private void giveBack(String key, Fraction permits, long micros) {
        KeyState state = state(key);
        long time = state.time(micros);
        Fraction back = state.use().divisible() ? permits : Fraction.of(permits.floor());
        if (back.signum() > 0 && state.use().at(time).signum() > 0) {
            Use left = state.use().minus(back, time);
            change(key, left, state.lockedUntil(), time);
            receipts.replaceAll((hold, receipt) -> hold.key().equals(key) ? receipt.atMost(left, time) : receipt);
        }
    }

    @Override
    public void penalize(String key, long permits, long micros) {
        if (permits > 0) {
            KeyState state = state(key);
            long time = state.time(micros);
            BigInteger free = state.use().most().subtract(state.use().held(time));
            BigInteger taken = BigInteger.valueOf(permits).min(free).max(BigInteger.ZERO);
            change(key, state.use().plus(taken.longValueExact(), time), state.lockedUntil(), time);
        }
    }

    @Override
    public void pause(String key, long duration, long micros) {
        if (duration > 0) {
            KeyState state = state(key);
            long time = state.time(micros);
            long until = Math.max(state.pausedUntil(), time + duration);
            change(key, new KeyState(state.use(), time, state.lockedUntil(), until));
        }
    }

    @Override
    public long pauseRest(String key, long micros) {
        KeyState state = state(key);
        return state.restOfPause(state.time(micros));
    }

    @Override
    public void reset(String key) {
        forget(key);
    }

    /** What was reserved of a key that is forgotten cannot be given back: it is as good as given back already. */
    private void forget(String key) {
        states.remove(key);
        receipts.keySet().removeIf(hold -> hold.key().equals(key));
    }

    @Override
    public long untilDue(String key, long permits, long micros) {
        KeyState state = state(key);
        return state.untilDue(permits, state.time(micros));
    }

    @Override
    public boolean lends(String key, long permits, long micros) {
        KeyState state = state(key);
        BigInteger owed = state.use().held(state.time(micros)).add(BigInteger.valueOf(permits));
        return pauseRest(key, micros) == 0
                && state.use().lends()
                && owed.compareTo(state.use().most()) <= 0;
    }

    @Override
    public void take(Hold hold, long micros) {
        long time = state(hold.key()).time(micros);
        take(hold.key(), hold.permits(), micros);
        receipts.put(
                hold, new Receipt(hold.permits(), time, state(hold.key()).use().receipt(hold.permits(), time)));
    }

    @Override
    public void cancel(Hold hold, long micros) {
        Receipt receipt = receipts.remove(hold);
        if (receipt != null) {
            KeyState state = state(hold.key());
            giveBack(hold.key(), receipt.left(state.use(), state.time(micros)), micros);
        }
    }

    @Override
    public Ledger copy() {
        Counts copy = new Counts(limit, fresh.use().limit(), lockout);
        copy.states.putAll(states);
        return copy;
    }

    @Override
    public boolean isLike(Ledger other) {
        return other instanceof Counts counts && limit.equals(counts.limit) && states.equals(counts.states);
    }

    @Override
    public Ledger update(Limit next, long micros) {
        Ledger successor = Ledger.of(next);
        if (successor instanceof Counts counts) {
            Limit rule = counts.fresh.use().limit();
            receipts.forEach((hold, receipt) -> {
                KeyState state = state(hold.key());
                counts.receipts.put(hold, receipt.carriedTo(rule, state.use(), state.time(micros)));
            });
            states.forEach((key, state) -> {
                long time = state.time(micros);
                long lockedUntil = counts.lockout > 0 ? state.lockedUntil() : Long.MIN_VALUE;
                counts.change(
                        key, new KeyState(state.use().carriedTo(rule, time), time, lockedUntil, state.pausedUntil()));
            });
        } else {
            states.forEach((key, state) -> {
                long time = state.time(micros);
                successor.pause(key, state.restOfPause(time), time);
            });
        }
        return successor;
    }
}
