package io.sluice.memory.state;

import io.sluice.Blocked;
import io.sluice.FixedWindow;
import io.sluice.LeakyBucket;
import io.sluice.Limit;
import io.sluice.Lockout;
import io.sluice.Refill;
import io.sluice.SlidingCounter;
import io.sluice.SlidingLog;
import io.sluice.TimeSource;
import io.sluice.TokenBucket;
import io.sluice.Unlimited;
import io.sluice.exact.Exact;
import io.sluice.exact.Rate;
import org.jspecify.annotations.Nullable;

/*
 * A limit may change while millions of keys hold state that was made under the old one. Walking over them would stop
 * the world, so an update only links the new terms behind the old ones; whoever meets a key of old terms converts it, as
 * of the moment of the update, and the result is the same as if all had been converted then. Old terms are reachable
 * only from the keys that still hold them, so they vanish with the last of those.
 */
/** A limit in force, with what is derived from it, and what came after it. */
public final class Terms {
    /** The limit as it was said. */
    public final Limit limit;

    /** The limit without its lockout. */
    public final Limit rule;

    /** How long a denial locks, or 0. */
    public final long lockoutMicros;

    /** Whether its windows are aligned to the wall clock. */
    public final boolean aligned;

    /** Whether it keeps state at all. */
    public final boolean stateful;

    /** Whether a key's state fits an {@link AtomicBucket}. */
    public final boolean atomic;

    /** Whether permits may be taken ahead of their time, by debt. */
    public final boolean reserves;

    /** Whether it denies everything for ever. */
    public final boolean blocked;

    final boolean leaky;
    public final long capacity;

    /** The speed of a bucket; of no meaning for windows. */
    final Rate rate;

    /** When it came into force, on its own clock. */
    public final long since;

    /** {@link #rate} and {@link #capacity} once more, flat, for {@link AtomicBucket}. */
    public final long permit;

    final long perMicro;
    final long capacityUnits;

    private static final long NOT_YET = Long.MIN_VALUE;

    /** When the next terms came into force, on this one's clock. Read after {@link #next} was published. */
    private volatile long endedAt = NOT_YET;

    private volatile @Nullable Terms next;

    public Terms(Limit limit, TimeSource time) {
        this.limit = limit;
        rule = limit instanceof Lockout lockout ? lockout.limit() : limit;
        lockoutMicros = limit instanceof Lockout lockout ? Exact.micros(lockout.duration()) : 0;
        aligned = rule instanceof SlidingCounter || (rule instanceof FixedWindow window && !window.fromFirst());
        stateful = !(rule instanceof Unlimited || rule instanceof Blocked);
        blocked = rule instanceof Blocked;
        leaky = rule instanceof LeakyBucket;
        reserves = rule instanceof TokenBucket || leaky || rule instanceof Unlimited;
        capacity = rule.capacity();
        rate = rateOf(rule);
        permit = rate.permit();
        perMicro = rate.perMicro();
        atomic = rule instanceof TokenBucket bucket
                && bucket.refill() == Refill.GREEDY
                && lockoutMicros == 0
                && time.isMonotonic()
                && perMicro <= Long.MAX_VALUE / (spanOf(time) + Exact.LONGEST);
        capacityUnits = atomic ? capacity * permit : 0;
        since = now(time);
    }

    /** How far from now a time may be: a century of uptime on the system's clock, any time at all on another. */
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

    /** Whether this is the limit; asked often, of limits that are mostly the same object. */
    public boolean isOf(Limit other) {
        return limit == other || limit.equals(other);
    }

    /** The time on the clock that this limit lives by. */
    public long now(TimeSource time) {
        return aligned ? time.wallMicros() : time.micros();
    }

    @Nullable
    public Terms next() {
        return next;
    }

    /** For terms that have a {@link #next}. */
    long endedAt() {
        for (int attempt = 0; endedAt == NOT_YET; attempt++) {
            Backoff.pause(attempt);
        }
        return endedAt;
    }

    public void replaceBy(Terms newer, TimeSource time) {
        // In this order: whoever reads the clock and then finds no next terms has read a time before the end.
        next = newer;
        endedAt = now(time);
    }

    /** The state of a key never seen. */
    public State fresh() {
        if (rule instanceof TokenBucket bucket && bucket.refill() == Refill.INTERVAL) {
            return new IntervalState(this);
        } else if (rule instanceof FixedWindow) {
            return new WindowState(this);
        } else if (rule instanceof SlidingLog) {
            return new LogState(this);
        } else if (rule instanceof SlidingCounter) {
            return new CounterState(this);
        }
        return stateful ? new BucketState(this) : new UncountedState(this);
    }

    /** Where a key's new state is to be kept, held already. */
    public Cell cellFor(State state, int life) {
        // One word has no room for a pause.
        if (atomic && !state.isPaused()) {
            return new AtomicBucket(this, life);
        }
        state.begin(life);
        return state;
    }
}
