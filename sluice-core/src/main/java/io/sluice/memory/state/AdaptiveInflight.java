package io.sluice.memory.state;

import io.sluice.AdaptiveConcurrency;
import io.sluice.adapt.AdaptiveNumber;
import io.sluice.exact.Exact;

/** A number that is found by latency. */
final class AdaptiveInflight implements Inflight {
    /** An idle key keeps its number for this long. */
    private static final long REMEMBERED_MICROS = 600_000_000;

    private final AdaptiveConcurrency limit;
    private AdaptiveNumber found;

    AdaptiveInflight(AdaptiveConcurrency limit) {
        this.limit = limit;
        this.found = new AdaptiveNumber(limit.from(), limit.least(), limit.most());
    }

    @Override
    public long number(long t) {
        return found.admitted(t);
    }

    @Override
    public long entered(long t, long held) {
        found.synchronise(t, held);
        return found.entered(t);
    }

    @Override
    public void left(long t, long mark, boolean dropped, long held) {
        found.synchronise(t, held);
        found.left(t, mark, dropped);
    }

    @Override
    public void adopt(Inflight other) {
        if (other instanceof AdaptiveInflight old) {
            long from = Math.max(limit.least(), Math.min(limit.most(), old.found.number()));
            found = new AdaptiveNumber(from, limit.least(), limit.most());
        }
    }

    @Override
    public long rememberedMicros() {
        return REMEMBERED_MICROS;
    }

    /**
     * Kept permits are a share of the largest number; the same share of the number in force is kept. But one permit is for all, unless
     * all are kept: otherwise a small number could never be found to be wrong.
     */
    @Override
    public long kept(long kept, long t) {
        long number = number(t);
        return kept == 0 || kept >= limit.most()
                ? Math.min(kept, number)
                : Math.min(Exact.mulDivUp(kept, number, limit.most()), number - 1);
    }

    @Override
    public long numberAfterwards() {
        return found.number();
    }

    @Override
    public long timeUntilAfterwards(long t) {
        return found.measurementLasts(t);
    }
}
