package io.sluice.memory.keys;

import io.sluice.Decision;
import io.sluice.Limit;
import io.sluice.TimeSource;
import io.sluice.memory.state.DecisionTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/** A key under all limits of its limiter, locked for one operation. {@link #close} unlocks it. */
public final class LockedKeys implements AutoCloseable {
    private final LockedKey[] keys;

    private LockedKeys(LockedKey[] keys) {
        this.keys = keys;
    }

    /** Locks a key, and creates it if it is absent. */
    public static LockedKeys of(KeyTable[] tables, String key, TimeSource time) {
        Objects.requireNonNull(key, "key");
        LockedKey[] keys = new LockedKey[tables.length];
        for (int i = 0; i < keys.length; i++) {
            keys[i] = tables[i].lock(key);
        }
        return new LockedKeys(keys).readTime(time);
    }

    /** Locks a key without creating it: a key that was never used stays absent. */
    public static LockedKeys ofExisting(KeyTable[] tables, String key, TimeSource time) {
        Objects.requireNonNull(key, "key");
        LockedKey[] keys = new LockedKey[tables.length];
        for (int i = 0; i < keys.length; i++) {
            keys[i] = tables[i].lockExisting(key);
        }
        return new LockedKeys(keys).readTime(time);
    }

    private LockedKeys readTime(TimeSource time) {
        DecisionTime moment = new DecisionTime(time);
        for (LockedKey locked : keys) {
            locked.readTime(moment);
        }
        return this;
    }

    /** Judges a request for that many permits. Returns whether every limit allows it. */
    public boolean judge(long permits) {
        boolean allowed = true;
        for (LockedKey locked : keys) {
            locked.judge(locked.asked(permits));
            allowed &= locked.allowed();
        }
        return allowed;
    }

    /** Takes the judged permits from every limit, or starts the lockout of the limits that denied. */
    public void settle(boolean allowed) {
        for (LockedKey locked : keys) {
            if (allowed && !locked.active.holds) {
                locked.take();
            } else if (!allowed) {
                locked.deny();
            }
        }
    }

    /**
     * Takes permits from every limit if all of them allow it and none needs a delay. Starts the lockout of the limits that
     * denied. A delay is not a denial. Returns whether the permits were taken.
     */
    public boolean takeWithoutDelay(long permits) {
        boolean allowed = judge(permits);
        boolean delayed = allowed && delay() > 0;
        if (!delayed) {
            settle(allowed);
        }
        return allowed && !delayed;
    }

    /**
     * Refuses to use up permits of a limit of concurrency.
     *
     * @param limiter the name of the limiter
     * @param verb what was asked for
     */
    public LockedKeys requireRates(String limiter, String verb, long permits) {
        for (LockedKey locked : keys) {
            if (locked.active.holds && permits > 0) {
                close();
                throw heldNotUsed(limiter, verb, locked.active.limit);
            }
        }
        return this;
    }

    /** Permits of a limit of concurrency were to be used up. */
    public static IllegalStateException heldNotUsed(String limiter, String verb, Limit limit) {
        return new IllegalStateException("limiter \"" + limiter + "\": " + verb + " on \"" + limit
                + "\", whose permits are held and given back (expected: enter or tryEnter)");
    }

    /**
     * Takes one permit from every limit if all of them allow it and none needs a delay: holds it, under limits of concurrency.
     * Starts the lockout of the limits that denied. Returns whether the permits were taken.
     */
    public boolean enterWithoutDelay(long id) {
        boolean allowed = judge(1);
        if (allowed && delay() > 0) {
            return false;
        }
        settle(allowed);
        if (allowed) {
            hold(id);
        }
        return allowed;
    }

    /** Holds a permit of every limit of concurrency, whether one is free or not. */
    public void hold(long id) {
        for (LockedKey locked : keys) {
            if (locked.active.holds) {
                locked.hold(id);
            }
        }
    }

    /** The shortest hold of the limits of concurrency, in microseconds; 0 if there is none. */
    public long shortestHold() {
        long micros = 0;
        for (LockedKey locked : keys) {
            long hold = locked.active.holdMicros;
            micros = micros == 0 || (hold > 0 && hold < micros) ? hold : micros;
        }
        return micros;
    }

    /** The decision by which one permit was just taken, perhaps ahead of time. */
    public Decision decisionAfterTaking() {
        Decision decision = keys[0].decisionAfterTaking();
        for (int i = 1; i < keys.length; i++) {
            decision = decision.and(keys[i].decisionAfterTaking());
        }
        return decision;
    }

    /** The whole permits that every limit allows now. */
    public long free() {
        long free = Long.MAX_VALUE;
        for (LockedKey locked : keys) {
            free = Math.min(free, locked.free());
        }
        return free;
    }

    public Decision decision() {
        Decision decision = keys[0].decision();
        for (int i = 1; i < keys.length; i++) {
            decision = decision.and(keys[i].decision());
        }
        return decision;
    }

    private long delay() {
        long delay = 0;
        for (LockedKey locked : keys) {
            delay = Math.max(delay, locked.delay());
        }
        return delay;
    }

    public long waitToUse(long permits) {
        long wait = 0;
        for (LockedKey locked : keys) {
            wait = Math.max(wait, locked.waitToUse(permits));
        }
        return wait;
    }

    /** For how many microseconds permits certainly cannot be used. What is held may be given back at any time. */
    public long leastWait(long permits) {
        long wait = 0;
        for (LockedKey locked : keys) {
            wait = Math.max(wait, locked.leastWait(permits));
        }
        return wait;
    }

    /** Whether every limit allows a reservation of that many permits ahead of time. */
    public boolean canReserve(long permits) {
        for (LockedKey locked : keys) {
            boolean fits = locked.state == null || locked.state.takable(permits, locked.t()) == permits;
            // No reservations during a pause: after it, all of them would run at the same time.
            boolean paused = locked.state != null && locked.state.pausedFor(locked.t()) > 0;
            if (!locked.active.allowsDebt || !fits || paused) {
                return false;
            }
        }
        return true;
    }

    /** Takes permits from every limit, whether they are free or not. */
    public List<Receipt> takeByForce(long permits) {
        List<Receipt> receipts = new ArrayList<>(keys.length);
        for (LockedKey locked : keys) {
            Receipt receipt = Receipt.of(locked, locked.takeByForce(permits));
            if (receipt != null) {
                receipts.add(receipt);
            }
        }
        return receipts;
    }

    /** For how many microseconds the key is still paused. */
    public long pausedFor() {
        long micros = 0;
        for (LockedKey locked : keys) {
            micros = Math.max(micros, locked.state == null ? 0 : locked.state.pausedFor(locked.t()));
        }
        return micros;
    }

    public void refund(long permits) {
        for (LockedKey locked : keys) {
            if (locked.state != null) {
                locked.state.refund(permits, locked.t());
                locked.table.useReduced(locked.key);
            }
        }
    }

    @Override
    public void close() {
        for (LockedKey locked : keys) {
            locked.unlock();
        }
        keys[0].table.makeRoom();
    }
}
