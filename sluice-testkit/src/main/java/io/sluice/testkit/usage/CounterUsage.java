package io.sluice.testkit.usage;

import io.sluice.Limit;
import io.sluice.SlidingCounter;
import java.math.BigInteger;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.TreeMap;

/**
 * The usage of a sliding counter.
 *
 * @param counts the permits taken in each slot, by the number of the slot since the epoch; some may have left the window
 */
record CounterUsage(SlidingCounter limit, NavigableMap<Long, Long> counts) implements Usage {
    static CounterUsage fresh(SlidingCounter limit) {
        return new CounterUsage(limit, new TreeMap<>());
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

    /** The fraction of that slot's permits that still counts. */
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
    public Usage plus(long permits, long micros) {
        NavigableMap<Long, Long> more = new TreeMap<>(inside(micros));
        more.merge(slot(micros), permits, Long::sum);
        return new CounterUsage(limit, more);
    }

    @Override
    public Usage minus(Fraction permits, long micros) {
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
        return new CounterUsage(limit, fewer);
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
    public BigInteger max() {
        return MOST_IN_WINDOW;
    }

    @Override
    public long span() {
        return Usage.micros(limit.window());
    }

    @Override
    public Usage receipt(long permits, long charged) {
        return Usage.fresh(limit).plus(permits, charged);
    }

    @Override
    public Fraction left(long permits, long charged, Usage now, long micros) {
        return weight(slot(charged), micros).times(permits);
    }

    @Override
    public Usage undo(long part, long permits, long charged, Usage after, long micros) {
        NavigableMap<Long, Long> fewer = new TreeMap<>(inside(micros));
        if (!fewer.containsKey(slot(charged))) {
            return this;
        }
        fewer.computeIfPresent(slot(charged), (slot, count) -> count > part ? count - part : null);
        return new CounterUsage(limit, fewer);
    }

    @Override
    public Optional<Usage> convertIfSameKind(Limit next, long micros) {
        return next instanceof SlidingCounter counter
                        && counter.window().equals(limit.window())
                        && counter.slots() == limit.slots()
                ? Optional.of(new CounterUsage(counter, counts))
                : Optional.empty();
    }
}
