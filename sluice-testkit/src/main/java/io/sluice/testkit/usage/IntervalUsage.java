package io.sluice.testkit.usage;

import io.sluice.Limit;
import io.sluice.Refill;
import io.sluice.TokenBucket;
import java.math.BigInteger;
import java.util.Optional;

/**
 * The usage of a token bucket that refills at each whole period after its anchor.
 *
 * @param used the burst minus the tokens at {@code since}
 * @param anchor the time of the first take from the full bucket; without meaning while the bucket is full
 */
record IntervalUsage(TokenBucket limit, BigInteger used, long anchor, long since) implements Usage {
    static IntervalUsage fresh(TokenBucket limit) {
        return new IntervalUsage(limit, BigInteger.ZERO, 0, 0);
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
    public Usage plus(long permits, long micros) {
        BigInteger now = whole(micros);
        long anchored = now.signum() == 0 ? micros : anchor;
        return new IntervalUsage(limit, now.add(BigInteger.valueOf(permits)), anchored, micros);
    }

    @Override
    public Usage minus(Fraction permits, long micros) {
        return new IntervalUsage(limit, whole(micros).subtract(permits.floor()).max(BigInteger.ZERO), anchor, micros);
    }

    @Override
    public BigInteger max() {
        return LONGEST.divide(BigInteger.valueOf(span()))
                .multiply(BigInteger.valueOf(limit.permits()))
                .min(MOST_OWED);
    }

    @Override
    public long span() {
        return Usage.micros(limit.period());
    }

    @Override
    public boolean allowsDebt() {
        return true;
    }

    @Override
    public Fraction left(long permits, long charged, Usage now, long micros) {
        return Fraction.of(permits).min(at(micros));
    }

    @Override
    public Optional<Usage> convertIfSameKind(Limit next, long micros) {
        return next instanceof TokenBucket bucket
                        && bucket.refill() == Refill.INTERVAL
                        && bucket.period().equals(limit.period())
                ? Optional.of(new IntervalUsage(
                        bucket, whole(micros).min(fresh(bucket).max()), anchor, micros))
                : Optional.empty();
    }
}
