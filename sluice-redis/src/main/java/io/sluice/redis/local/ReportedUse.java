package io.sluice.redis.local;

import io.sluice.Decision;
import io.sluice.LeakyBucket;
import io.sluice.Limit;
import io.sluice.Lockout;
import io.sluice.Refill;
import io.sluice.SlidingCounter;
import io.sluice.TokenBucket;
import io.sluice.Unlimited;
import io.sluice.redis.script.Arguments;
import java.math.BigInteger;
import java.time.Duration;

/*
 * An answer says how much is left and when the key is fresh again. Of a bucket that is all there is to know: its use
 * drains at a constant rate. Of a window it is not known which entries leave when, so all of them are taken to stay until
 * the last one leaves. Where several limits stand behind one answer, each is taken to be as much used as it can be: so
 * this is never less than what Redis counts, as long as nobody else has taken anything since.
 */
/** What this process last heard of one limit of a key: how much of it is used. Guarded by its {@link LocalKey}. */
final class ReportedUse {
    private final Limit limit;

    /** Whether it drains at a constant rate, so that {@code until} says all. */
    private final boolean drains;

    private long use;
    private long since;

    /** When nothing is left of it. */
    private long until;

    ReportedUse(Limit limit) {
        this.limit = limit instanceof Lockout lockout ? lockout.limit() : limit;
        this.drains = this.limit instanceof LeakyBucket
                || (this.limit instanceof TokenBucket bucket && bucket.refill() == Refill.GREEDY);
        this.since = Long.MIN_VALUE;
        this.until = Long.MIN_VALUE;
    }

    /**
     * Redis has answered.
     *
     * @param kept what was kept for others, and not told as remaining
     * @param alone whether the answer is about this limit alone
     */
    void heard(Decision decision, long kept, boolean alone, long now) {
        long most = decision.remaining() == 0
                ? limit.capacity()
                : Math.max(0, limit.capacity() - Math.min(limit.capacity(), decision.remaining() + kept));
        long span = decision.resetAfterMicros();
        if (drains && decision.remaining() == 0) {
            // Perhaps in debt. Of several limits, only this process's own debt is known.
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

    /** This process has taken so much, and was not told what is left. */
    void add(long permits, long now) {
        if (drains) {
            until = Math.max(until, now) + timeFor(permits);
        } else {
            use = at(now) + permits;
            since = now;
            until = Math.max(until, now + longest());
        }
    }

    /** Nothing is used, as Redis has said. */
    void clear() {
        until = Long.MIN_VALUE;
    }

    /** How much of it is still used, at most; rounded up. */
    long at(long now) {
        if (now >= until || limit instanceof Unlimited) {
            return 0;
        } else if (drains) {
            return inTime(limit, until - now);
        } else if (limit instanceof TokenBucket interval) {
            return Math.max(0, use - (now - since) / micros(interval.period()) * interval.permits());
        }
        return use;
    }

    /** In how many microseconds so many drain; rounded up. */
    private long timeFor(long permits) {
        return limit instanceof TokenBucket bucket
                ? mulDivUp(permits, micros(bucket.period()), bucket.permits())
                : mulDivUp(permits, micros(((LeakyBucket) limit).period()), ((LeakyBucket) limit).permits());
    }

    /** How many permits of a bucket drain in a time, at most. */
    static long inTime(Limit limit, long micros) {
        if (limit instanceof TokenBucket bucket && bucket.refill() == Refill.INTERVAL) {
            return -Math.floorDiv(-micros, micros(bucket.period())) * bucket.permits();
        }
        return limit instanceof TokenBucket bucket
                ? mulDivUp(micros, bucket.permits(), micros(bucket.period()))
                : mulDivUp(micros, ((LeakyBucket) limit).permits(), micros(((LeakyBucket) limit).period()));
    }

    /** After so long, nothing that was taken is left. */
    long longest() {
        long refill = Math.min(Arguments.FOR_EVER, micros(limit.refillTime()));
        return limit instanceof SlidingCounter ? 2 * refill : refill;
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
