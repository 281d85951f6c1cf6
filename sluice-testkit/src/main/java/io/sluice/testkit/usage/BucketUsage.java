package io.sluice.testkit.usage;

import io.sluice.LeakyBucket;
import io.sluice.Limit;
import io.sluice.Refill;
import io.sluice.TokenBucket;
import java.math.BigInteger;
import java.time.Duration;
import java.util.Optional;

/**
 * The usage of a greedy token bucket (burst minus tokens) or of a leaky bucket (its level). Both fall continuously.
 *
 * @param rate permits per microsecond
 * @param used the permits in use at {@code since}
 */
record BucketUsage(Limit limit, Fraction rate, Fraction used, long since, long span) implements Usage {
    static BucketUsage fresh(Limit limit, long permits, Duration period) {
        Fraction rate = Fraction.of(permits, Usage.micros(period));
        return new BucketUsage(limit, rate, rate.times(0), 0, Usage.micros(period));
    }

    @Override
    public Fraction at(long micros) {
        if (used.signum() == 0) {
            return used;
        }
        Fraction left = used.minus(rate.times(Math.max(0, micros - since)));
        return left.signum() < 0 ? Fraction.ZERO : left;
    }

    @Override
    public Usage plus(long permits, long micros) {
        return with(at(micros).plus(Fraction.of(permits)), micros);
    }

    @Override
    public Usage minus(Fraction permits, long micros) {
        return with(at(micros).minus(permits).max(Fraction.ZERO), micros);
    }

    @Override
    public BigInteger max() {
        return LONGEST.multiply(rate.numerator()).divide(rate.denominator()).min(MOST_OWED);
    }

    @Override
    public boolean allowsDebt() {
        return true;
    }

    @Override
    public boolean divisible() {
        return true;
    }

    @Override
    public Fraction left(long permits, long charged, Usage now, long micros) {
        return Fraction.of(permits).min(at(micros));
    }

    @Override
    public Optional<Usage> convertIfSameKind(Limit next, long micros) {
        boolean sameKind = limit instanceof LeakyBucket
                ? next instanceof LeakyBucket
                : next instanceof TokenBucket bucket && bucket.refill() == Refill.GREEDY;
        if (!sameKind) {
            return Optional.empty();
        }
        BucketUsage none = (BucketUsage) Usage.fresh(next);
        Fraction kept = at(micros).upToMultipleOf(none.rate.denominator());
        return Optional.of(none.with(kept.min(Fraction.of(none.max())), micros));
    }

    private BucketUsage with(Fraction newUsed, long micros) {
        return new BucketUsage(limit, rate, newUsed, micros, span);
    }
}
