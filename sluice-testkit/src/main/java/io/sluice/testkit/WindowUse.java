package io.sluice.testkit;

import io.sluice.FixedWindow;
import io.sluice.Limit;
import java.math.BigInteger;
import java.util.Optional;

/**
 * A fixed-window, aligned or from-first.
 *
 * @param opened when the window that was counted in began; means nothing while the count is 0
 * @param count what was taken in it
 */
record WindowUse(FixedWindow limit, long opened, long count) implements Use {
    static WindowUse none(FixedWindow limit) {
        return new WindowUse(limit, 0, 0);
    }

    @Override
    public Fraction at(long micros) {
        return Fraction.of(isOpen(micros) ? count : 0);
    }

    private boolean isOpen(long micros) {
        return count > 0 && micros < opened + span();
    }

    @Override
    public Use plus(long permits, long micros) {
        if (isOpen(micros)) {
            return new WindowUse(limit, opened, count + permits);
        }
        long opens = limit.fromFirst() ? micros : Math.floorDiv(micros, span()) * span();
        return new WindowUse(limit, opens, permits);
    }

    @Override
    public Use minus(Fraction permits, long micros) {
        BigInteger left = at(micros).floor().subtract(permits.floor()).max(BigInteger.ZERO);
        return new WindowUse(limit, opened, left.longValueExact());
    }

    @Override
    public BigInteger most() {
        return MOST_IN_WINDOW;
    }

    @Override
    public long span() {
        return Use.micros(limit.window());
    }

    @Override
    public Fraction left(long permits, long charged, Use now, long micros) {
        boolean stillCurrent = now instanceof WindowUse window && window.isOpen(micros) && window.opened == opened;
        return Fraction.of(stillCurrent ? permits : 0);
    }

    @Override
    public Optional<Use> keptUnder(Limit next, long micros) {
        return next instanceof FixedWindow window
                        && window.window().equals(limit.window())
                        && window.fromFirst() == limit.fromFirst()
                ? Optional.of(new WindowUse(window, opened, count))
                : Optional.empty();
    }
}
