package io.sluice.memory.state;

import io.sluice.Decision;
import io.sluice.TimeSource;
import io.sluice.exact.Amount;
import io.sluice.exact.Exact;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import org.jspecify.annotations.Nullable;

/*
 * A greedy token bucket in one word: the time at which it would be full again, in units (see Rate) since its terms came
 * into force. What is used is that time less now; taking permits moves it further into the future. So one
 * compare-and-set decides, nothing is allocated, and a denial does not write at all.
 *
 * The word is read before the clock. As the clock never goes back, whoever wins the compare-and-set has seen a time not
 * earlier than any that is in the word: time never goes back within the key although the word does not hold the time of
 * the latest change.
 *
 * Two negative words are marks: they lie before every time, so the fast path meets them only where it would find a full
 * bucket, and pays nothing for them elsewhere.
 */
/** A key's greedy token bucket as a single word. */
public final class AtomicBucket extends Cell {
    static final int DENIED = 0;
    public static final int ALLOWED = 1;
    /** The cell was dropped or its terms were replaced: look the key up again. */
    public static final int GONE = 2;

    private static final long DROPPED = -1;
    private static final long HELD = -2;

    private static final VarHandle FULL_AT;

    static {
        try {
            FULL_AT = MethodHandles.lookup().findVarHandle(AtomicBucket.class, "fullAt", long.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private final int life;

    /** See {@link GiveBack}; only touched under the hold. */
    private @Nullable GiveBack lastGiveBack;

    private volatile long fullAt;

    /**
     * The latest reading of the clock. A division by 1000 is a tenth of a decision's time, and when it is asked often the
     * answer is mostly the same as before. Only a guess, always verified, so a race does no harm.
     */
    private long lastMicros;

    /** Begins a life, held. */
    AtomicBucket(Terms terms, int life) {
        super(terms);
        this.life = life;
        fullAt = HELD;
    }

    /** Takes permits, at least 1, if they are there. */
    public int tryAcquire(long permits, TimeSource time) {
        Terms terms = this.terms;
        if (permits > terms.capacity) {
            return terms.next() == null ? DENIED : GONE;
        }
        long cost = permits * terms.permit;
        for (int attempt = 0; ; attempt++) {
            long before = fullAt;
            long now = units(now(time));
            if (terms.next() != null) {
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
            if (after - now > terms.capacityUnits) {
                return DENIED;
            }
            if (FULL_AT.compareAndSet(this, before, after)) {
                return ALLOWED;
            }
            Backoff.pause(attempt);
        }
    }

    /** Takes permits, 0 or more, if they are there; null if {@link #GONE}. */
    @Nullable
    public Decision check(long permits, TimeSource time) {
        Terms terms = this.terms;
        boolean possible = permits <= terms.capacity;
        long cost = possible ? permits * terms.permit : 0;
        for (int attempt = 0; ; attempt++) {
            long before = fullAt;
            long now = units(now(time));
            if (before == DROPPED || terms.next() != null) {
                return null;
            }
            if (before == HELD) {
                Backoff.pause(attempt);
                continue;
            }
            long used = Math.max(0, before - now);
            if (!possible || used + cost > terms.capacityUnits) {
                long tooMuch = used + cost - terms.capacityUnits;
                return Decision.denied(
                        remaining(used),
                        possible ? dividedUp(tooMuch, terms.perMicro) : Decision.NEVER,
                        dividedUp(used, terms.perMicro));
            }
            if (permits == 0 || FULL_AT.compareAndSet(this, before, now + used + cost)) {
                return Decision.allowed(remaining(used + cost), 0, dividedUp(used + cost, terms.perMicro));
            }
            Backoff.pause(attempt);
        }
    }

    /**
     * Takes hold of the word itself, for a decision with others: nothing is made, and {@link #put} ends it.
     *
     * @return what the word was; negative if the cell was dropped or its terms were replaced
     */
    public long seize() {
        for (int attempt = 0; ; attempt++) {
            long before = fullAt;
            if (before == DROPPED) {
                return before;
            }
            if (before >= 0 && FULL_AT.compareAndSet(this, before, HELD)) {
                if (terms.next() == null) {
                    return before;
                }
                put(before);
                return DROPPED;
            }
            Backoff.pause(attempt);
        }
    }

    /** Ends what {@link #seize} began. */
    public void put(long word) {
        FULL_AT.setRelease(this, word);
    }

    /** How much is in use at that time, in units, where the word was that. */
    public long used(long word, long micros) {
        return Math.max(0, word - units(micros));
    }

    /** The word with so much in use. */
    public long word(long used, long micros) {
        return units(micros) + used;
    }

    /** Whether so many permits fit besides what is in use. */
    public boolean fits(long permits, long used) {
        return permits <= terms.capacity && used + permits * terms.permit <= terms.capacityUnits;
    }

    /** What is told of a verdict, with so much in use afterwards. */
    public Decision decision(boolean allowed, long permits, long kept, long used) {
        long remaining = Math.max(0, remaining(used) - kept);
        long reset = dividedUp(used, terms.perMicro);
        if (allowed) {
            return Decision.allowed(remaining, 0, reset);
        }
        long asked = Exact.sum(permits, kept);
        long retry = asked > terms.capacity
                ? Decision.NEVER
                : dividedUp(used + asked * terms.permit - terms.capacityUnits, terms.perMicro);
        return Decision.denied(remaining, retry, reset);
    }

    private long remaining(long used) {
        return Math.max(0, divided(terms.capacityUnits - used, terms.permit));
    }

    /** Dividing long numbers is slow, and mostly they are short, or the divisor is 1. */
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

    /** The time by which all such buckets live. */
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
        return (micros - terms.since) * terms.perMicro;
    }

    @Override
    public int life() {
        return life;
    }

    @Override
    @Nullable
    public State hold(TimeSource time) {
        for (int attempt = 0; ; attempt++) {
            long before = fullAt;
            if (before == DROPPED) {
                return null;
            }
            State state = tryHold(before, time);
            if (state != null) {
                return state;
            }
            Backoff.pause(attempt);
        }
    }

    @Override
    @Nullable
    public State tryHold(TimeSource time) {
        return tryHold(fullAt, time);
    }

    private @Nullable State tryHold(long before, TimeSource time) {
        if (before < 0 || !FULL_AT.compareAndSet(this, before, HELD)) {
            return null;
        }
        // Replaced terms count only up to their end: from there on, the state drains by the next ones.
        long now = terms.next() == null ? time.micros() : terms.endedAt();
        long used = Math.max(0, before - units(now));
        BucketState state = new BucketState(terms, new Amount(used / terms.permit, used % terms.permit), now);
        state.setLastGiveBack(lastGiveBack);
        return state;
    }

    @Override
    public void release(State state) {
        lastGiveBack = state.lastGiveBack();
        Amount used = ((BucketState) state).used(state.last);
        // A state that was never used may not know the time yet.
        long last = units(Math.max(state.last, terms.since));
        FULL_AT.setRelease(this, last + used.whole() * terms.permit + used.part());
    }

    @Override
    public void drop() {
        FULL_AT.setRelease(this, DROPPED);
    }

    @Override
    public long freshIn(TimeSource time) {
        long before = fullAt;
        return before < 0 ? Long.MAX_VALUE : Math.max(0, before - units(time.micros())) / terms.perMicro;
    }

    @Override
    @Nullable
    public Standing standing(Moment moment) {
        long before = fullAt;
        if (before < 0) {
            return null;
        }
        long used = before - units(moment.on(terms));
        if (used <= 0) {
            return Standing.FRESH;
        }
        // The sooner it would be full, the less it has used; so this is a time before now.
        long last = terms.since + (before - terms.capacityUnits) / terms.perMicro;
        long lightIn = dividedUp(Math.max(0, used - terms.capacityUnits / 10), terms.perMicro);
        if (used > terms.capacityUnits - terms.permit) {
            return new Standing(Standing.USED_UP, lightIn, last);
        }
        return Standing.partly(used / Math.max(1, terms.capacityUnits / 100) + 1, lightIn, last);
    }
}
