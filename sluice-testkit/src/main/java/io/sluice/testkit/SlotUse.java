package io.sluice.testkit;

import io.sluice.Limit;
import io.sluice.SlidingCounter;
import java.math.BigInteger;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.TreeMap;

/**
 * A sliding-counter.
 *
 * @param counts what was taken, by the number of the slot since the epoch; some may have left the window
 */
record SlotUse(SlidingCounter limit, NavigableMap<Long, Long> counts) implements Use {
    static SlotUse none(SlidingCounter limit) {
        return new SlotUse(limit, new TreeMap<>());
    }

    @Override
    public Fraction at(long micros) {
        long oldest = slot(micros) - limit.slots();
        long whole = 0;
        for (long count : counts.tailMap(oldest, false).values()) {
            whole += count;
        }
        return Fraction.of(whole).plus(weight(oldest, micros).times(counts.getOrDefault(oldest, 0L)));
    }

    /** How much of what was taken in that slot still counts. */
    private Fraction weight(long slot, long micros) {
        long newest = slot(micros);
        long oldest = newest - limit.slots();
        if (slot == oldest) {
            long length = slotLength();
            return new Fraction(BigInteger.valueOf(length - Math.floorMod(micros, length)), BigInteger.valueOf(length));
        }
        return Fraction.of(oldest < slot && slot <= newest ? 1 : 0);
    }

    @Override
    public Use plus(long permits, long micros) {
        NavigableMap<Long, Long> more = new TreeMap<>(inside(micros));
        more.merge(slot(micros), permits, Long::sum);
        return new SlotUse(limit, more);
    }

    @Override
    public Use minus(Fraction permits, long micros) {
        NavigableMap<Long, Long> fewer = new TreeMap<>(inside(micros));
        BigInteger back = permits.floor();
        while (back.signum() > 0 && !fewer.isEmpty()) {
            Map.Entry<Long, Long> newest = fewer.pollLastEntry();
            BigInteger rest = BigInteger.valueOf(newest.getValue()).subtract(back);
            if (rest.signum() > 0) {
                fewer.put(newest.getKey(), rest.longValueExact());
            }
            back = rest.negate();
        }
        return new SlotUse(limit, fewer);
    }

    @Override
    public BigInteger held(long micros) {
        return inside(micros).values().stream().map(BigInteger::valueOf).reduce(BigInteger.ZERO, BigInteger::add);
    }

    private NavigableMap<Long, Long> inside(long micros) {
        return counts.tailMap(slot(micros) - limit.slots(), true);
    }

    private long slot(long micros) {
        return Math.floorDiv(micros, slotLength());
    }

    private long slotLength() {
        return span() / limit.slots();
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
    public Use receipt(long permits, long charged) {
        return Use.none(limit).plus(permits, charged);
    }

    @Override
    public Fraction left(long permits, long charged, Use now, long micros) {
        return weight(slot(charged), micros).times(permits);
    }

    @Override
    public Optional<Use> keptUnder(Limit next, long micros) {
        return next instanceof SlidingCounter counter
                        && counter.window().equals(limit.window())
                        && counter.slots() == limit.slots()
                ? Optional.of(new SlotUse(counter, counts))
                : Optional.empty();
    }
}
