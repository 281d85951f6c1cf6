package io.sluice.memory.state;

import io.sluice.AdaptiveConcurrency;
import io.sluice.Blocked;
import io.sluice.CalendarWindow;
import io.sluice.FixedWindow;
import io.sluice.LeakyBucket;
import io.sluice.Limit;
import io.sluice.Lockout;
import io.sluice.Refill;
import io.sluice.SlidingCounter;
import io.sluice.SlidingLog;
import io.sluice.TimeSource;
import io.sluice.TimeSpan;
import io.sluice.TokenBucket;
import io.sluice.Unlimited;
import io.sluice.WarmUp;
import io.sluice.exact.Exact;
import io.sluice.exact.Rate;
import io.sluice.exact.WarmUpRate;
import org.jspecify.annotations.Nullable;

/*
 * A limit may change while millions of keys hold state that was made under the old one. To convert all of them at once
 * would stop the world. So an update only links the new active limit behind the old one. A call that meets a key under an
 * old limit converts it, as of the time of the update. The result is the same as if all keys had been converted then. Only
 * the keys that still use an old active limit refer to it, so it is garbage after the last of them.
 */
/** A limit in force: the limit, values derived from it, and the limit that replaced it. */
public final class ActiveLimit {
    /** The limit as the user gave it. */
    public final Limit limit;

    /** The limit without its lockout. */
    public final Limit rule;

    /** The length of the lockout, or 0. */
    public final long lockoutMicros;

    /** How often the lockout of a key can double. */
    final int maxEscalation;

    /** Whether its windows are aligned to the epoch. Such a limit uses the wall clock, others use the steady clock. */
    public final boolean aligned;

    /** Whether it needs state for a key. */
    public final boolean stateful;

    /** Whether a key's state fits an {@link AtomicBucket}. */
    public final boolean atomic;

    /** Whether permits may be taken ahead of time, as a debt. */
    public final boolean allowsDebt;

    /** Whether its permits are held and given back, not used up. */
    public final boolean holds;

    /** How long a permit is held that is not renewed. Without meaning for others. */
    public final long holdMicros;

    /** The number of a limit of concurrency that does not change. */
    private final Inflight fixedInflight;

    /** Whether it denies everything. */
    public final boolean blocked;

    final boolean leaky;
    public final long capacity;

    /** The rate of a bucket. Without meaning for windows. */
    final Rate rate;

    /** Whether every amount of a bucket fits a long as units. */
    final boolean inAWord;

    /** The length of a window that does not change. Without meaning for others. */
    final long windowMicros;

    /** The number and the length of the slots of a sliding counter. */
    final long slots;

    final long slotMicros;

    /** The rate of a limit that warms up. Null for others. */
    final @Nullable WarmUpRate warmUp;

    /** The window of the calendar that was asked for last. To find one takes much longer than a decision. */
    private volatile @Nullable TimeSpan calendarWindow;

    /** The time when it came into force, on its own clock. */
    public final long since;

    /** {@link #rate} and {@link #capacity} as plain fields, for {@link AtomicBucket}. */
    public final long unitsPerPermit;

    final long unitsPerMicro;
    final long capacityUnits;

    private static final long NOT_YET = Long.MIN_VALUE;

    /** The time when the next limit came into force, on the clock of this one. Read after {@link #next} is set. */
    private volatile long endedAt = NOT_YET;

    private volatile @Nullable ActiveLimit next;

    public ActiveLimit(Limit limit, TimeSource time) {
        this.limit = limit;
        rule = limit instanceof Lockout lockout ? lockout.limit() : limit;
        lockoutMicros = limit instanceof Lockout lockout ? Exact.micros(lockout.duration()) : 0;
        maxEscalation = limit instanceof Lockout lockout ? lockout.escalate() : 0;
        aligned = rule instanceof SlidingCounter
                || rule instanceof CalendarWindow
                || (rule instanceof FixedWindow window && !window.fromFirst());
        stateful = !(rule instanceof Unlimited || rule instanceof Blocked);
        blocked = rule instanceof Blocked;
        holds = rule.algorithm().holds();
        holdMicros = holds ? Exact.micros(rule.refillTime()) : 0;
        leaky = rule instanceof LeakyBucket;
        allowsDebt = rule instanceof TokenBucket || leaky || rule instanceof WarmUp || rule instanceof Unlimited;
        capacity = rule.capacity();
        fixedInflight = new Inflight.Fixed(rule instanceof AdaptiveConcurrency adaptive ? adaptive.from() : capacity);
        rate = rateOf(rule);
        inAWord = rate.fitsInAWord();
        windowMicros = windowOf(rule);
        slots = rule instanceof SlidingCounter counter ? counter.slots() : 1;
        slotMicros = windowMicros / slots;
        warmUp = rule instanceof WarmUp warmUp ? WarmUpRate.of(warmUp.permits(), warmUp.period(), warmUp.over()) : null;
        unitsPerPermit = rate.unitsPerPermit();
        unitsPerMicro = rate.unitsPerMicro();
        atomic = rule instanceof TokenBucket bucket
                && bucket.refill() == Refill.GREEDY
                && lockoutMicros == 0
                && time.isMonotonic()
                && unitsPerMicro <= Long.MAX_VALUE / (spanOf(time) + Exact.MAX_MICROS);
        capacityUnits = atomic ? capacity * unitsPerPermit : 0;
        since = now(time);
    }

    /** The largest distance of a time from now: a century of uptime on the system's clock, any time on another clock. */
    private static long spanOf(TimeSource time) {
        return time == TimeSource.system() ? 1L << 52 : 1L << 53;
    }

    private static Rate rateOf(Limit rule) {
        if (rule instanceof TokenBucket bucket) {
            return Rate.of(bucket.permits(), bucket.period());
        } else if (rule instanceof LeakyBucket bucket) {
            return Rate.of(bucket.permits(), bucket.period());
        }
        return new Rate(1, 1);
    }

    private static long windowOf(Limit rule) {
        if (rule instanceof FixedWindow window) {
            return Exact.micros(window.window());
        } else if (rule instanceof SlidingLog log) {
            return Exact.micros(log.window());
        }
        return rule instanceof SlidingCounter counter ? Exact.micros(counter.window()) : 0;
    }

    /** The window of the calendar that a time belongs to. */
    TimeSpan calendarWindowAt(long t) {
        TimeSpan known = calendarWindow;
        if (known == null || !known.contains(t)) {
            known = ((CalendarWindow) rule).windowAt(t);
            calendarWindow = known;
        }
        return known;
    }

    /** Whether the limit equals this one. Called often, mostly with the same object. */
    public boolean isFor(Limit other) {
        return limit == other || limit.equals(other);
    }

    /** The current time on the clock of this limit. */
    public long now(TimeSource time) {
        return aligned ? time.wallMicros() : time.micros();
    }

    @Nullable
    public ActiveLimit next() {
        return next;
    }

    /** The time when {@link #next} came into force. Call it only if there is one. */
    long endedAt() {
        for (int attempt = 0; endedAt == NOT_YET; attempt++) {
            Backoff.pause(attempt);
        }
        return endedAt;
    }

    public void replaceBy(ActiveLimit newer, TimeSource time) {
        // In this order: a thread that reads the clock and then finds no next limit has read a time before the end.
        next = newer;
        endedAt = now(time);
    }

    /** Decides how many permits of a new key may be held. */
    Inflight newInflight() {
        return limit instanceof AdaptiveConcurrency adaptive ? new AdaptiveInflight(adaptive) : fixedInflight;
    }

    /** The state of a key that was never used. */
    public State fresh() {
        if (rule instanceof TokenBucket bucket && bucket.refill() == Refill.INTERVAL) {
            return new IntervalState(this);
        } else if (rule instanceof FixedWindow) {
            return new FixedWindowState(this);
        } else if (rule instanceof CalendarWindow) {
            return new CalendarState(this);
        } else if (warmUp != null) {
            return new WarmUpState(this);
        } else if (holds) {
            return new ConcurrencyState(this);
        } else if (rule instanceof SlidingLog) {
            return new LogState(this);
        } else if (rule instanceof SlidingCounter) {
            return new CounterState(this);
        }
        return stateful ? new BucketState(this) : new UncountedState(this);
    }

    /** A new, locked entry for the state of a key. */
    public KeyEntry newEntry(State state, int generation) {
        // An AtomicBucket cannot hold a pause, nor a lockout of the limit before.
        if (atomic && !state.isDenied()) {
            return new AtomicBucket(this, generation);
        }
        state.begin(generation);
        return state;
    }
}
