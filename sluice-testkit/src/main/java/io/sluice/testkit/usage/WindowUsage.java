package io.sluice.testkit.usage;

import io.sluice.FixedWindow;
import io.sluice.Limit;
import java.math.BigInteger;
import java.util.Optional;

/**
 * The usage of a fixed window, aligned or from-first.
 *
 * @param opened the start of the current window; without meaning while the count is 0
 * @param count the permits taken in the window
 */
record WindowUsage(FixedWindow limit, long opened, long count) implements Usage {
    static WindowUsage fresh(FixedWindow limit) {
        return new WindowUsage(limit, 0, 0);
    }

    @Override
    public Fraction at(long micros) {
        return Fraction.of(isOpen(micros) ? count : 0);
    }

    private boolean isOpen(long micros) {
        return count > 0 && micros < opened + span();
    }

    @Override
    public Usage plus(long permits, long micros) {
        if (isOpen(micros)) {
            return new WindowUsage(limit, opened, count + permits);
        }
        long opens = limit.fromFirst() ? micros : Math.floorDiv(micros, span()) * span();
        return new WindowUsage(limit, opens, permits);
    }

    @Override
    public Usage minus(Fraction permits, long micros) {
        BigInteger left = at(micros).floor().subtract(permits.floor()).max(BigInteger.ZERO);
        return new WindowUsage(limit, opened, left.longValueExact());
    }

    @Override
    public BigInteger max() {
        return MOST_IN_WINDOW;
    }

    @Override
    public long span() {
        return Usage.micros(limit.window());
    }

    @Override
    public Fraction left(long permits, long charged, Usage now, long micros) {
        boolean stillCurrent = now instanceof WindowUsage window && window.isOpen(micros) && window.opened == opened;
        return Fraction.of(stillCurrent ? permits : 0);
    }

    @Override
    public Optional<Usage> convertIfSameKind(Limit next, long micros) {
        return next instanceof FixedWindow window
                        && window.window().equals(limit.window())
                        && window.fromFirst() == limit.fromFirst()
                ? Optional.of(new WindowUsage(window, opened, count))
                : Optional.empty();
    }
}
