package io.sluice.memory.state;

import io.sluice.Decision;
import io.sluice.TimeSource;
import io.sluice.exact.Amount;
import io.sluice.exact.Exact;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import org.jspecify.annotations.Nullable;

/*
 * A greedy token bucket in one word: the time at which it would be full again, in units (see Rate) since its limit came
 * into force. The use is that time less now. Taking permits moves the time further into the future. So one
 * compare-and-set decides, nothing is allocated, and a denial does not write at all.
 *
 * A thread reads the word before it reads the clock. The clock never goes back. So the thread that wins the
 * compare-and-set has read a time that is not before any time in the word. Time never goes back within the key, although
 * the word does not contain the time of the latest change.
 *
 * Two negative words have a meaning of their own: locked and dropped. They lie before every time, so the fast path meets
 * them only where it would otherwise find a full bucket. Elsewhere they cost nothing.
 */
/** The greedy token bucket of one key, in a single word. */
public final class AtomicBucket extends KeyEntry {
    private static final long DROPPED = -1;
    private static final long LOCKED = -2;

    private static final VarHandle FULL_AT;

    static {
        try {
            FULL_AT = MethodHandles.lookup().findVarHandle(AtomicBucket.class, "fullAt", long.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private final int generation;

    /** See {@link GiveBackNote}. Touched only under the lock. */
    private @Nullable GiveBackNote lastGiveBack;

    private volatile long fullAt;

    /**
     * The latest reading of the clock. A division by 1000 takes a tenth of the time of a decision, and under load the result
     * is mostly the same as before. This is only a guess and is always verified, so a race does no harm.
     */
    private long lastMicros;

    /** Begins a generation of the key. The new entry is locked. */
    AtomicBucket(ActiveLimit active, int generation) {
        super(active);
        this.generation = generation;
        fullAt = LOCKED;
    }

    @Override
    public int tryAcquire(long permits, TimeSource time) {
        ActiveLimit active = this.active;
        if (permits > active.capacity) {
            return active.next() == null ? DENIED : GONE;
        }
        long cost = permits * active.unitsPerPermit;
        for (int attempt = 0; ; attempt++) {
            long before = fullAt;
            long now = units(now(time));
            if (active.next() != null) {
                return GONE;
            }
            long start = before;
            if (before <= now) {
                if (before < 0) {
                    if (before == DROPPED) {
                        return GONE;
                    }
                    Backoff.pause(attempt);
                    continue;
                }
                start = now;
            }
            long after = start + cost;
            if (after - now > active.capacityUnits) {
                return DENIED;
            }
            if (FULL_AT.compareAndSet(this, before, after)) {
                return ALLOWED;
            }
            Backoff.pause(attempt);
        }
    }

    @Override
    @Nullable
    public Decision check(long permits, TimeSource time) {
        ActiveLimit active = this.active;
        boolean possible = permits <= active.capacity;
        long cost = possible ? permits * active.unitsPerPermit : 0;
        for (int attempt = 0; ; attempt++) {
            long before = fullAt;
            long now = units(now(time));
            if (before == DROPPED || active.next() != null) {
                return null;
            }
            if (before == LOCKED) {
                Backoff.pause(attempt);
                continue;
            }
            long used = Math.max(0, before - now);
            if (!possible || used + cost > active.capacityUnits) {
                long tooMuch = used + cost - active.capacityUnits;
                return new Decision(
                        false,
                        remaining(used),
                        possible ? dividedUp(tooMuch, active.unitsPerMicro) : Decision.NEVER,
                        0,
                        dividedUp(used, active.unitsPerMicro),
                        debt(used),
                        false);
            }
            if (permits == 0 || FULL_AT.compareAndSet(this, before, now + used + cost)) {
                return Decision.allowed(remaining(used + cost), 0, dividedUp(used + cost, active.unitsPerMicro));
            }
            Backoff.pause(attempt);
        }
    }

    @Override
    public long acquireUpTo(long permits, TimeSource time) {
        ActiveLimit active = this.active;
        for (int attempt = 0; ; attempt++) {
            long before = fullAt;
            long now = units(now(time));
            if (before == DROPPED || active.next() != null) {
                return GONE_TAKEN;
            }
            if (before != LOCKED) {
                long used = Math.max(0, before - now);
                long taken = Math.min(permits, remaining(used));
                if (taken == 0 || FULL_AT.compareAndSet(this, before, now + used + taken * active.unitsPerPermit)) {
                    return taken;
                }
            }
            Backoff.pause(attempt);
        }
    }

    /**
     * Locks the word, for a decision together with other keys. Nothing is allocated. {@link #unlockWord} unlocks it.
     *
     * @return the word before; negative if the entry was dropped or its limit was replaced, then nothing is locked
     */
    public long lockWord() {
        for (int attempt = 0; ; attempt++) {
            long before = fullAt;
            if (before == DROPPED) {
                return before;
            }
            if (before >= 0 && FULL_AT.compareAndSet(this, before, LOCKED)) {
                if (active.next() == null) {
                    return before;
                }
                unlockWord(before);
                return DROPPED;
            }
            Backoff.pause(attempt);
        }
    }

    /** Stores a word and unlocks. */
    public void unlockWord(long word) {
        FULL_AT.setRelease(this, word);
    }

    /** The units in use at a time, for a given word. */
    public long used(long word, long micros) {
        return Math.max(0, word - units(micros));
    }

    /** The word for that many units in use at a time. */
    public long word(long used, long micros) {
        return units(micros) + used;
    }

    /** Whether that many permits are free, with that many units in use. */
    public boolean fits(long permits, long used) {
        return permits <= active.capacity && used + permits * active.unitsPerPermit <= active.capacityUnits;
    }

    /** The decision to return for a verdict, with that many units in use afterwards. */
    public Decision decision(boolean allowed, long permits, long kept, long used) {
        long remaining = Math.max(0, remaining(used) - kept);
        long reset = dividedUp(used, active.unitsPerMicro);
        if (allowed) {
            return Decision.allowed(remaining, 0, reset);
        }
        long asked = Exact.sum(permits, kept);
        long retry = asked > active.capacity
                ? Decision.NEVER
                : dividedUp(used + asked * active.unitsPerPermit - active.capacityUnits, active.unitsPerMicro);
        return new Decision(false, remaining, retry, 0, reset, debt(used), false);
    }

    private long remaining(long used) {
        return Math.max(0, divided(active.capacityUnits - used, active.unitsPerPermit));
    }

    private long debt(long used) {
        return used <= active.capacityUnits ? 0 : dividedUp(used - active.capacityUnits, active.unitsPerPermit);
    }

    /** Divides. A division of longs is slow, but most numbers fit an int, or the divisor is 1. */
    private static long divided(long x, long y) {
        if (y == 1) {
            return x;
        }
        return (x | y) >>> 31 == 0 ? (int) x / (int) y : x / y;
    }

    private static long dividedUp(long x, long y) {
        long quotient = divided(x, y);
        return quotient * y < x ? quotient + 1 : quotient;
    }

    /** The current time, in microseconds, on the steady clock. */
    public long now(TimeSource time) {
        if (time != TimeSource.system()) {
            return time.micros();
        }
        long guess = lastMicros;
        long nanos = TimeSource.system().nanos();
        long since = nanos - guess * 1000;
        if (since < 0 || since >= 1000) {
            guess = nanos / 1000;
            lastMicros = guess;
        }
        return guess;
    }

    private long units(long micros) {
        return (micros - active.since) * active.unitsPerMicro;
    }

    @Override
    public int generation() {
        return generation;
    }

    @Override
    @Nullable
    public State lock(TimeSource time) {
        for (int attempt = 0; ; attempt++) {
            long before = fullAt;
            if (before == DROPPED) {
                return null;
            }
            State state = tryLock(before, time);
            if (state != null) {
                return state;
            }
            Backoff.pause(attempt);
        }
    }

    @Override
    @Nullable
    public State tryLock(TimeSource time) {
        return tryLock(fullAt, time);
    }

    private @Nullable State tryLock(long before, TimeSource time) {
        if (before < 0 || !FULL_AT.compareAndSet(this, before, LOCKED)) {
            return null;
        }
        // A replaced limit counts only up to its end. From there on, the state drains under the next limit.
        long now = active.next() == null ? time.micros() : active.endedAt();
        long used = Math.max(0, before - units(now));
        BucketState state =
                new BucketState(active, new Amount(used / active.unitsPerPermit, used % active.unitsPerPermit), now);
        state.setLastGiveBack(lastGiveBack);
        return state;
    }

    @Override
    public void unlock(State state) {
        lastGiveBack = state.lastGiveBack();
        Amount used = ((BucketState) state).used(state.last);
        // A state that was never used may have no time yet.
        long last = units(Math.max(state.last, active.since));
        FULL_AT.setRelease(this, last + used.whole() * active.unitsPerPermit + used.part());
    }

    @Override
    public void drop() {
        FULL_AT.setRelease(this, DROPPED);
    }

    @Override
    public long timeUntilFresh(TimeSource time) {
        long before = fullAt;
        return before < 0 ? Long.MAX_VALUE : Math.max(0, before - units(time.micros())) / active.unitsPerMicro;
    }

    @Override
    @Nullable
    public KeyUsage usage(DecisionTime moment) {
        long before = fullAt;
        if (before < 0) {
            return null;
        }
        long used = before - units(moment.on(active));
        if (used <= 0) {
            return KeyUsage.FRESH;
        }
        // The earlier it would be full, the less it has used. So this is a time before now.
        long last = active.since + (before - active.capacityUnits) / active.unitsPerMicro;
        long timeUntilLight = dividedUp(Math.max(0, used - active.capacityUnits / 10), active.unitsPerMicro);
        if (used > active.capacityUnits - active.unitsPerPermit) {
            return new KeyUsage(KeyUsage.USED_UP, timeUntilLight, last);
        }
        return KeyUsage.partlyUsed(used / Math.max(1, active.capacityUnits / 100) + 1, timeUntilLight, last);
    }
}
