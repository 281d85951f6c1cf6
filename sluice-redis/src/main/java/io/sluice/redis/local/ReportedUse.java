package io.sluice.redis.local;

import io.sluice.CalendarWindow;
import io.sluice.Concurrency;
import io.sluice.Decision;
import io.sluice.LeakyBucket;
import io.sluice.Limit;
import io.sluice.Lockout;
import io.sluice.Refill;
import io.sluice.SlidingCounter;
import io.sluice.TokenBucket;
import io.sluice.Unlimited;
import io.sluice.WarmUp;
import io.sluice.redis.script.Arguments;
import java.math.BigInteger;
import java.time.Duration;

/*
 * A decision says how many permits remain and when the key is fresh again. For a bucket, that is everything: its use drains
 * at a constant rate. For a window, it is unknown when each entry expires, so we assume that all entries stay until the last
 * one expires. If a decision is about several limits, we assume for each limit the highest possible use. So the use here is
 * never lower than the use in Redis, as long as no other process has taken permits since.
 */
/** The use of one limit of a key, as Redis last reported it. Guarded by its {@link LocalKey}. */
final class ReportedUse {
    private final Limit limit;

    /** Whether the use drains at a constant rate. Then {@code until} is enough to know the use at any time. */
    private final boolean drains;

    private long use;
    private long since;

    /** When no use is left. */
    private long until;

    ReportedUse(Limit limit) {
        this.limit = limit instanceof Lockout lockout ? lockout.limit() : limit;
        this.drains = this.limit instanceof LeakyBucket
                || (this.limit instanceof TokenBucket bucket && bucket.refill() == Refill.GREEDY);
        this.since = Long.MIN_VALUE;
        this.until = Long.MIN_VALUE;
    }

    /**
     * Redis has decided.
     *
     * @param kept the permits that were kept for other requests, and are not in the remaining permits
     * @param alone whether the decision is about this limit alone
     */
    void decided(Decision decision, long kept, boolean alone, long now) {
        long most = decision.remaining() == 0
                ? limit.capacity()
                : Math.max(0, limit.capacity() - Math.min(limit.capacity(), decision.remaining() + kept));
        long span = decision.resetAfterMicros();
        if (drains && decision.remaining() == 0) {
            // The limit may be in debt. With several limits, only the debt from this process is known.
            span = alone ? span : Math.max(Math.min(span, timeFor(most)), until - now);
        } else if (drains) {
            span = Math.min(span, timeFor(most));
        } else {
            span = Math.min(span, longest());
        }
        use = most;
        since = now;
        until = now + span;
    }

    /** This process has taken permits, and Redis did not report what remains. */
    void add(long permits, long now) {
        if (drains) {
            until = Math.max(until, now) + timeFor(permits);
        } else {
            use = at(now) + permits;
            since = now;
            until = Math.max(until, now + longest());
        }
    }

    /** Redis has reset the key: no permits are used. */
    void clear() {
        until = Long.MIN_VALUE;
    }

    /** The highest possible use at a time, rounded up. */
    long at(long now) {
        if (now >= until || limit instanceof Unlimited || limit instanceof Concurrency) {
            return 0;
        } else if (drains) {
            return inTime(limit, until - now);
        } else if (limit instanceof TokenBucket interval) {
            return Math.max(0, use - (now - since) / micros(interval.period()) * interval.permits());
        }
        return use;
    }

    /** The microseconds in which so many permits drain, rounded up. */
    private long timeFor(long permits) {
        return limit instanceof TokenBucket bucket
                ? mulDivUp(permits, micros(bucket.period()), bucket.permits())
                : mulDivUp(permits, micros(((LeakyBucket) limit).period()), ((LeakyBucket) limit).permits());
    }

    /** The most permits of a bucket that drain in a time. */
    static long inTime(Limit limit, long micros) {
        if (limit instanceof TokenBucket bucket && bucket.refill() == Refill.INTERVAL) {
            return -Math.floorDiv(-micros, micros(bucket.period())) * bucket.permits();
        }
        return limit instanceof TokenBucket bucket
                ? mulDivUp(micros, bucket.permits(), micros(bucket.period()))
                : mulDivUp(micros, ((LeakyBucket) limit).permits(), micros(((LeakyBucket) limit).period()));
    }

    /** The longest time for which a permit counts as used. */
    long longest() {
        long refill = Math.min(Arguments.FOR_EVER, micros(limit.refillTime()));
        if (limit instanceof WarmUp warmUp) {
            // The time until a request is paid, and then until the limit is cold again.
            return 2 * refill + micros(warmUp.period());
        }
        // A slot counts while it slides out. A window of the calendar may be longer than the usual ones.
        return limit instanceof SlidingCounter || limit instanceof CalendarWindow ? 2 * refill : refill;
    }

    private static long micros(Duration duration) {
        return duration.toNanos() / 1000;
    }

    private static long mulDivUp(long x, long y, long z) {
        if (Math.multiplyHigh(x, y) == 0 && x * y >= 0) {
            return -Math.floorDiv(-(x * y), z);
        }
        BigInteger[] parts =
                BigInteger.valueOf(x).multiply(BigInteger.valueOf(y)).divideAndRemainder(BigInteger.valueOf(z));
        return parts[0].add(parts[1].signum() > 0 ? BigInteger.ONE : BigInteger.ZERO)
                .min(BigInteger.valueOf(Arguments.FOR_EVER))
                .longValueExact();
    }
}
