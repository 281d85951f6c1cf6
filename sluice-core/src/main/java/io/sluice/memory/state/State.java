package io.sluice.memory.state;

import io.sluice.Decision;
import io.sluice.TimeSource;
import io.sluice.exact.Exact;
import java.io.IOException;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import org.jspecify.annotations.Nullable;

/*
 * An algorithm is what a key remembers, and a handful of questions about it. One question decides everything:
 * available(t), the number of whole permits that are free at t. A request for n is allowed iff n <= available(t), for
 * every algorithm. Reading never changes anything, not even the remembered time. Taking does change the state, and happens
 * only after every limit of a request has allowed it.
 *
 * A state is also the entry of its key in the table, with the lock. This saves one object for each of millions of keys.
 */
/** What one key has used of one limit. A thread touches it only while it holds its lock, or before it is published. */
public abstract class State extends KeyEntry {
    private static final int FREE = 0;
    private static final int LOCKED = 1;
    private static final int DROPPED = 2;
    private static final int LOCK_BITS = 2;
    private static final int LOCK_MASK = (1 << LOCK_BITS) - 1;
    static final long NO_TIME = Long.MIN_VALUE;

    private static final VarHandle LOCK;

    static {
        try {
            LOCK = MethodHandles.lookup().findVarHandle(State.class, "lock", int.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    /** Whether the entry is free, locked or dropped, in the lowest bits. Above them: the {@link #generation}. */
    private volatile int lock;

    /** Fields that few keys need. The other keys pay for one reference only. */
    private @Nullable RareFields rare;

    /** The time of the latest change, in microseconds on the clock of the limit. */
    public long last;

    private RareFields rare() {
        return rare == null ? RareFields.NONE : rare;
    }

    final @Nullable GiveBackNote lastGiveBack() {
        return rare().lastGiveBack();
    }

    final void setLastGiveBack(@Nullable GiveBackNote note) {
        if (note != lastGiveBack()) {
            rare = rare().lastGiveBack(note);
        }
    }

    /** The note from which a receipt for the permits just taken reads on. */
    public final GiveBackNote beginReceipt() {
        GiveBackNote begin = lastGiveBack();
        if (begin == null) {
            begin = new GiveBackNote(null);
            setLastGiveBack(begin);
        }
        return begin;
    }

    /** Nothing is left of all receipts so far. For algorithms whose receipts do not drain with the key. */
    final void endReceipts() {
        GiveBackNote note = lastGiveBack();
        if (note != null) {
            setLastGiveBack(note.thenEnd());
        }
    }

    /** Leaves a note for the receipts, if there are any. For algorithms whose use drains bit by bit. */
    final void noteGiveBack(State left) {
        GiveBackNote note = lastGiveBack();
        if (note != null) {
            setLastGiveBack(note.then(left));
        }
    }

    State(ActiveLimit active) {
        super(active);
    }

    /** The whole permits that are free at t. Negative while the key is in debt. */
    abstract long available(long t);

    /** The permits in use beyond the limit, if so many are {@link #available}: less than 0. */
    long debt(long available) {
        return -available;
    }

    /** The fewest microseconds until that many permits are free, without other requests. For permits up to the capacity. */
    abstract long waitFor(long permits, long t);

    /** The fewest microseconds until nothing is in use, without other requests. */
    abstract long timeUntilUnused(long t);

    /** How many of the permits that a policy keeps are kept at t: fewer if the limit is below its capacity. */
    public long keptNow(long kept, long t) {
        return kept;
    }

    /** Takes permits, whether they are free or not. */
    public abstract void take(long permits, long t);

    /** Takes permits that were used under a limit of another kind. */
    void carry(long use, long t) {
        take(use, t);
    }

    /** Whether taking permits at t leaves the {@link #weight} as it is. */
    boolean keepsWeight(long t) {
        return true;
    }

    /** Undoes use, the newest first. Gives back at most what is in use. */
    abstract void giveBack(long permits, long t);

    /** The most permits that may be in use, debt included. */
    abstract long maxUse();

    /** A copy that represents the latest use, for {@link #cancel}. */
    public abstract State receipt(long permits);

    /** This converted receipt for permits, of which {@code before} was the receipt under the limit before. */
    public State asReceipt(long permits, State before) {
        return this;
    }

    /** The whole permits of a receipt that have not yet drained. */
    long stillUsed(long t) {
        return use(t);
    }

    /** Copies the use of another state of the same kind. Returns false, and does nothing, if the kind differs. */
    abstract boolean adopt(State other, long t);

    /** Moves the state forward to t: what drained until then is removed, and t becomes the time of the latest change. */
    public void advance(long t) {
        changedAt(t);
    }

    /** The delay of a request that is allowed at t, in microseconds. */
    public long delay(long t) {
        return 0;
    }

    /** The microseconds until permits that are taken now may be used. For permits up to the capacity. */
    public long waitToUse(long permits, long t) {
        return waitFor(permits, t);
    }

    /** Gives back those permits of a receipt that have not yet drained. */
    public void cancel(State receipt, long permits, long t) {
        refund(Math.min(permits, receipt.stillUsed(t)), t);
    }

    /**
     * Gives back permits of a receipt to where they came from, as far as they have not yet drained.
     *
     * @param permits the permits of the receipt
     * @param part how many of them
     */
    public void undo(State receipt, long permits, long part, long t) {
        cancel(receipt, part, t);
    }

    /** Calls {@link #giveBack} if there is something to give back. Otherwise the state stays unchanged. */
    public final void refund(long permits, long t) {
        if (permits > 0 && timeUntilUnused(t) > 0) {
            giveBack(permits, t);
        }
    }

    /** The whole permits in use, rounded up. */
    long use(long t) {
        return active.capacity - available(t);
    }

    /** The whole permits that count as used under a limit of another kind. */
    long useToCarry(long t) {
        return use(t);
    }

    /** How many additional keys it counts as, because of its size, in a store that limits bytes. */
    public int weight() {
        return 0;
    }

    /** The fewest microseconds until at most a tenth of the limit is in use, without other requests. */
    long timeUntilLight(long t) {
        return waitFor(active.capacity - active.capacity / 10, t);
    }

    /** How much of the limit is used at t, for eviction. */
    public final KeyUsage usage(long t) {
        long denied = deniedFor(t);
        if (denied > 0) {
            return new KeyUsage(KeyUsage.DENIED, Math.max(denied, timeUntilLight(t)), last);
        } else if (timeUntilUnused(t) == 0) {
            return rememberedFor(t) == 0 ? KeyUsage.FRESH : KeyUsage.partlyUsed(1, 0, last);
        } else if (available(t) <= 0) {
            return new KeyUsage(KeyUsage.USED_UP, timeUntilLight(t), last);
        }
        return KeyUsage.partlyUsed(Exact.mulDivUp(use(t), 100, active.capacity), timeUntilLight(t), last);
    }

    /** Whether this state has less in use than a receipt under the same limit, at the time of this state. */
    public boolean usesLessThan(State receipt) {
        return use(last) < receipt.use(receipt.notBeforeLast(last));
    }

    /** How many of the permits may still be taken without regard to the limit. */
    public long takable(long permits, long t) {
        return Math.max(0, Math.min(permits, maxUse() - use(t)));
    }

    /** The time t, or the time of the latest change if that is later: time never goes back within a key. */
    public final long notBeforeLast(long t) {
        return Math.max(t, last);
    }

    public final void changedAt(long t) {
        last = t;
    }

    /** For how many microseconds everything is still denied, by a lockout or a pause. */
    public final long deniedFor(long t) {
        return rare == null || rare.deniedUntil() <= t ? 0 : rare.deniedUntil() - t;
    }

    /** For how many microseconds the key is still paused. */
    public final long pausedFor(long t) {
        return rare == null || rare.pausedUntil() <= t ? 0 : rare.pausedUntil() - t;
    }

    /** Denies everything until t plus the given microseconds. A pause that ends later stays as it is. */
    public final void pause(long micros, long t) {
        rare = rare().pausedUntil(Math.max(rare().pausedUntil(), t + micros));
        advance(t);
    }

    /** Whether a lockout or a pause denies everything at the time of its latest change. */
    final boolean isDenied() {
        return deniedFor(last) > 0;
    }

    public final boolean allows(long permits, long t) {
        return permits <= available(t) && deniedFor(t) == 0;
    }

    /** The whole permits that are allowed at t: 0 while everything is denied or the key is in debt. */
    public final long free(long t) {
        return deniedFor(t) > 0 ? 0 : Math.max(0, available(t));
    }

    /** Adds to the number of permits that were taken tentatively. A negative number subtracts. */
    public final void addTentative(long permits) {
        rare = rare().tentative(Math.max(0, rare().tentative() + permits));
    }

    final boolean isTentative() {
        return rare().tentative() > 0;
    }

    /** Whether that many permits would be allowed if nothing were taken tentatively. */
    public boolean allowsWithoutTentative(long permits, long t) {
        return deniedFor(t) == 0 && permits <= available(t) + rare().tentative();
    }

    /** Starts the lockout, if the limit has one and nothing denies the key already. */
    private void startLockout(long t) {
        if (active.lockoutMicros > 0 && deniedFor(t) == 0) {
            int escalation = rare().escalationAt(t);
            rare = rare().lockedUntil(
                            t + (active.lockoutMicros << escalation), Math.min(escalation + 1, active.maxEscalation));
            advance(t);
        }
    }

    public final boolean isFresh(long t) {
        return rememberedFor(t) == 0 && timeUntilUnused(t) == 0;
    }

    /** For how many microseconds a lockout, its escalation or a pause is still remembered. */
    private long rememberedFor(long t) {
        return rare == null
                ? 0
                : Math.max(0, Math.max(deniedFor(t), rare.escalatedUntil() <= t ? 0 : rare.escalatedUntil() - t));
    }

    /** The decision to return, after the request was judged and perhaps taken. */
    public final Decision decision(boolean allowed, long permits, long kept, long delay, long t) {
        long available = available(t);
        long remaining = deniedFor(t) > 0 ? 0 : Math.max(0, available - kept);
        long retry = allowed ? 0 : retryAfter(Exact.sum(permits, kept), t);
        long reset = Math.max(timeUntilUnused(t), rememberedFor(t));
        return new Decision(
                allowed, remaining, retry, allowed ? delay : 0, reset, available < 0 ? debt(available) : 0, false);
    }

    final long retryAfter(long permits, long t) {
        return permits > active.capacity ? Decision.NEVER : Math.max(waitFor(permits, t), deniedFor(t));
    }

    /** This state under the limit that came next, as of the time of that update. Null if there is nothing to keep. */
    public final @Nullable State convert(ActiveLimit next) {
        long ended = active.endedAt();
        boolean keeps = (active.stateful && next.stateful) || pausedFor(notBeforeLast(ended)) > 0;
        return keeps ? convert(next, ended, next.since) : null;
    }

    /**
     * This state under another limit, as of one moment. Null if there is nothing to keep. This state stays unchanged.
     *
     * @param ended the moment, on the clock of this state's limit
     * @param since the moment, on the clock of the other limit
     */
    public final @Nullable State convert(ActiveLimit next, long ended, long since) {
        long then = notBeforeLast(ended);
        State converted = next.fresh();
        // The new limit may use the other clock.
        long now = active.aligned == next.aligned ? then : then - ended + since;
        if (!converted.adopt(this, then)) {
            long use = Math.min(useToCarry(then), converted.maxUse());
            if (use > 0) {
                converted.carry(use, now);
            }
        }
        converted.rare = rareUnder(next, then, now - then);
        converted.changedAt(now);
        return converted.isFresh(now) ? null : converted;
    }

    /** The rare fields under another limit, whose clock is ahead by so much. A lockout that runs goes on, and so does a pause. */
    private @Nullable RareFields rareUnder(ActiveLimit next, long then, long ahead) {
        RareFields old = rare();
        int escalation = Math.min(old.escalationAt(then), next.maxEscalation);
        boolean locked = next.stateful && !next.holds && (old.lockedUntil() > then || escalation > 0);
        RareFields kept = new RareFields(
                locked ? old.lockedUntil() + ahead : RareFields.NOT_YET,
                escalation,
                pausedFor(then) > 0 ? old.pausedUntil() + ahead : RareFields.NOT_YET,
                old.lastGiveBack(),
                old.tentative());
        return kept.isNone() ? null : kept;
    }

    /** Writes all that later decisions depend on, with times relative to base. Receipts are not written. */
    public final void save(StateOutput out, long base) {
        out.signed(last - base);
        int escalation = rare().escalationAt(last);
        long until = escalation > 0 ? rare().escalatedUntil() : rare().lockedUntil();
        out.number(escalation);
        out.number(until > last ? until - last : 0);
        out.number(pausedFor(last));
        saveUse(out);
    }

    /** Reads what {@link #save} wrote, into a fresh state. */
    public final void restore(StateInput in, long base) throws IOException {
        changedAt(base + in.signed("time", Exact.MAX_TIME_SPAN));
        int escalation = in.version() < 3 ? 0 : (int) in.number("escalation", active.maxEscalation);
        long lockoutLeft = in.number("lockout", Exact.MAX_MICROS);
        if (lockoutLeft > 0) {
            rare = rare().lockedUntil(last + lockoutLeft - (escalation > 0 ? RareFields.FORGET_MICROS : 0), escalation);
        }
        long pauseLeft = in.version() < 2 ? 0 : in.number("pause", Exact.MAX_MICROS);
        if (pauseLeft > 0) {
            rare = rare().pausedUntil(last + pauseLeft);
        }
        restoreUse(in);
    }

    /** Writes the use, with times relative to {@link #last}. */
    abstract void saveUse(StateOutput out);

    /** Reads what {@link #saveUse} wrote. */
    abstract void restoreUse(StateInput in) throws IOException;

    /*
     * Most requests are on a key that exists, under one limit that does not change meanwhile. They are decided here, without
     * garbage. All others are decided by LockedKey, with the same result.
     */
    /** Locks the entry and returns the time of the decision. Returns {@link #NO_TIME}, unlocked, if it is gone. */
    private long begin(TimeSource time) {
        return active.holds ? NO_TIME : beginAlone(time);
    }

    /** As {@link #begin}, for limits whose permits are held too. */
    final long beginAlone(TimeSource time) {
        if (!active.stateful || lock(time) == null) {
            return NO_TIME;
        }
        try {
            long t = notBeforeLast(active.now(time));
            if (active.next() == null && keepsWeight(t)) {
                return t;
            }
        } catch (RuntimeException | Error e) {
            unlock(this);
            throw e;
        }
        unlock(this);
        return NO_TIME;
    }

    @Override
    public final int tryAcquire(long permits, TimeSource time) {
        long t = begin(time);
        if (t == NO_TIME) {
            return GONE;
        }
        boolean taken = takeWithoutDelay(permits, t);
        unlock(this);
        return taken ? ALLOWED : DENIED;
    }

    /** Takes permits that are free without a delay. A delay is not a denial. */
    private boolean takeWithoutDelay(long permits, long t) {
        if (!allows(permits, t)) {
            deny(permits, t);
            return false;
        }
        if (delay(t) > 0) {
            return false;
        }
        take(permits, t);
        return true;
    }

    @Override
    public final @Nullable Decision check(long permits, TimeSource time) {
        long t = begin(time);
        if (t == NO_TIME) {
            return null;
        }
        boolean allowed = allows(permits, t);
        long delay = allowed ? delay(t) : 0;
        if (!allowed) {
            deny(permits, t);
        } else if (permits > 0) {
            take(permits, t);
        }
        Decision decision = decision(allowed, permits, 0, delay, t);
        unlock(this);
        return decision;
    }

    @Override
    public final long acquireUpTo(long permits, TimeSource time) {
        long t = begin(time);
        if (t == NO_TIME) {
            return GONE_TAKEN;
        }
        // Not even one permit is a denial of one.
        long asked = Math.min(permits, Math.max(1, free(t)));
        boolean taken = takeWithoutDelay(asked, t);
        unlock(this);
        return taken ? asked : 0;
    }

    /** Starts the lockout of a request that was denied, unless only tentatively taken permits were missing. */
    public final void deny(long permits, long t) {
        if (permits > 0 && active.lockoutMicros > 0 && !allowsWithoutTentative(permits, t)) {
            startLockout(t);
        }
    }

    @Override
    public final @Nullable State lock(TimeSource time) {
        for (int attempt = 0; ; attempt++) {
            if (tryLock(time) != null) {
                return this;
            }
            if ((lock & LOCK_MASK) == DROPPED) {
                return null;
            }
            Backoff.pause(attempt);
        }
    }

    @Override
    public final @Nullable State tryLock(TimeSource time) {
        return tryLock() ? this : null;
    }

    private boolean tryLock() {
        int seen = lock;
        return (seen & LOCK_MASK) == FREE && LOCK.compareAndSet(this, seen, seen | LOCKED);
    }

    /** Begins a generation of the key: locked, before another thread can see the entry. */
    public final void begin(int generation) {
        lock = (generation << LOCK_BITS) | LOCKED;
    }

    @Override
    public final int generation() {
        return lock >>> LOCK_BITS;
    }

    @Override
    public final void unlock(State state) {
        LOCK.setRelease(this, (lock & ~LOCK_MASK) | FREE);
    }

    @Override
    public final void drop() {
        LOCK.setRelease(this, (lock & ~LOCK_MASK) | DROPPED);
    }

    @Override
    public final long timeUntilFresh(TimeSource time) {
        if (tryLock(time) == null) {
            return Long.MAX_VALUE;
        }
        long t = notBeforeLast(active.now(time));
        long micros = Math.max(timeUntilUnused(t), rememberedFor(t));
        unlock(this);
        return micros;
    }

    @Override
    public final @Nullable KeyUsage usage(DecisionTime moment) {
        if (!tryLock()) {
            return null;
        }
        KeyUsage usage = usage(notBeforeLast(moment.on(active)));
        unlock(this);
        return usage;
    }
}
