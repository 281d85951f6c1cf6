package io.sluice.testkit;

import io.sluice.LeakyBucket;
import io.sluice.Limit;
import io.sluice.Refill;
import io.sluice.TokenBucket;
import java.math.BigInteger;
import java.time.Duration;
import java.util.Optional;

/**
 * A greedy token-bucket, whose use is what its tokens lack to the burst, or a leaky-bucket, whose use is its level: both
 * fall continuously.
 *
 * @param rate permits in a microsecond
 * @param used how much was used at {@code since}
 */
record DrainingUse(Limit limit, Fraction rate, Fraction used, long since, long span) implements Use {
    static DrainingUse none(Limit limit, long permits, Duration period) {
        Fraction rate = Fraction.of(permits, Use.micros(period));
        return new DrainingUse(limit, rate, rate.times(0), 0, Use.micros(period));
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
    public Use plus(long permits, long micros) {
        return with(at(micros).plus(Fraction.of(permits)), micros);
    }

    @Override
    public Use minus(Fraction permits, long micros) {
        return with(at(micros).minus(permits).max(Fraction.ZERO), micros);
    }

    @Override
    public BigInteger most() {
        return LONGEST.multiply(rate.numerator()).divide(rate.denominator()).min(MOST_OWED);
    }

    @Override
    public boolean lends() {
        return true;
    }

    @Override
    public boolean divisible() {
        return true;
    }

    @Override
    public Fraction left(long permits, long charged, Use now, long micros) {
        return Fraction.of(permits).min(at(micros));
    }

    @Override
    public Optional<Use> keptUnder(Limit next, long micros) {
        boolean sameKind = limit instanceof LeakyBucket
                ? next instanceof LeakyBucket
                : next instanceof TokenBucket bucket && bucket.refill() == Refill.GREEDY;
        if (!sameKind) {
            return Optional.empty();
        }
        DrainingUse none = (DrainingUse) Use.none(next);
        Fraction kept = at(micros).upToMultipleOf(none.rate.denominator());
        return Optional.of(none.with(kept.min(Fraction.of(none.most())), micros));
    }

    private DrainingUse with(Fraction newUsed, long micros) {
        return new DrainingUse(limit, rate, newUsed, micros, span);
    }
}
