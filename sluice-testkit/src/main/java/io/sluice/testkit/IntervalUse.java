package io.sluice.testkit;

import io.sluice.Limit;
import io.sluice.Refill;
import io.sluice.TokenBucket;
import java.math.BigInteger;
import java.util.Optional;

/**
 * A token-bucket that refills at each whole period after its anchor.
 *
 * @param used what the tokens lacked to the burst at {@code since}
 * @param anchor when the full bucket was drawn from; means nothing while it is full
 */
record IntervalUse(TokenBucket limit, BigInteger used, long anchor, long since) implements Use {
    static IntervalUse none(TokenBucket limit) {
        return new IntervalUse(limit, BigInteger.ZERO, 0, 0);
    }

    @Override
    public Fraction at(long micros) {
        return Fraction.of(whole(micros));
    }

    private BigInteger whole(long micros) {
        long refills = Math.max(0, periods(micros) - periods(since));
        BigInteger refilled = BigInteger.valueOf(limit.permits()).multiply(BigInteger.valueOf(refills));
        return used.subtract(refilled).max(BigInteger.ZERO);
    }

    private long periods(long micros) {
        return Math.floorDiv(micros - anchor, span());
    }

    @Override
    public Use plus(long permits, long micros) {
        BigInteger now = whole(micros);
        long anchored = now.signum() == 0 ? micros : anchor;
        return new IntervalUse(limit, now.add(BigInteger.valueOf(permits)), anchored, micros);
    }

    @Override
    public Use minus(Fraction permits, long micros) {
        return new IntervalUse(limit, whole(micros).subtract(permits.floor()).max(BigInteger.ZERO), anchor, micros);
    }

    @Override
    public BigInteger most() {
        return LONGEST.divide(BigInteger.valueOf(span()))
                .multiply(BigInteger.valueOf(limit.permits()))
                .min(MOST_OWED);
    }

    @Override
    public long span() {
        return Use.micros(limit.period());
    }

    @Override
    public boolean lends() {
        return true;
    }

    @Override
    public Fraction left(long permits, long charged, Use now, long micros) {
        return Fraction.of(permits).min(at(micros));
    }

    @Override
    public Optional<Use> keptUnder(Limit next, long micros) {
        return next instanceof TokenBucket bucket
                        && bucket.refill() == Refill.INTERVAL
                        && bucket.period().equals(limit.period())
                ? Optional.of(
                        new IntervalUse(bucket, whole(micros).min(none(bucket).most()), anchor, micros))
                : Optional.empty();
    }
}
