package io.sluice.testkit;

import io.sluice.Limit;
import io.sluice.SlidingLog;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * A sliding-log.
 *
 * @param entries what was taken and when, the oldest first; some may have left the window
 */
record LogUse(SlidingLog limit, List<Entry> entries) implements Use {
    /** Permits taken together. */
    record Entry(long micros, long permits) {}

    static LogUse none(SlidingLog limit) {
        return new LogUse(limit, List.of());
    }

    @Override
    public Fraction at(long micros) {
        long sum = 0;
        for (Entry entry : entries) {
            if (isInside(entry.micros, micros)) {
                sum += entry.permits;
            }
        }
        return Fraction.of(sum);
    }

    private boolean isInside(long charged, long micros) {
        return charged > micros - span();
    }

    @Override
    public Use plus(long permits, long micros) {
        List<Entry> longer = inside(micros);
        longer.add(new Entry(micros, permits));
        return new LogUse(limit, longer);
    }

    @Override
    public Use minus(Fraction permits, long micros) {
        List<Entry> shorter = inside(micros);
        BigInteger back = permits.floor();
        while (back.signum() > 0 && !shorter.isEmpty()) {
            Entry newest = shorter.remove(shorter.size() - 1);
            BigInteger rest = BigInteger.valueOf(newest.permits).subtract(back);
            if (rest.signum() > 0) {
                shorter.add(new Entry(newest.micros, rest.longValueExact()));
            }
            back = rest.negate();
        }
        return new LogUse(limit, shorter);
    }

    private List<Entry> inside(long micros) {
        List<Entry> inside = new ArrayList<>(entries.size() + 1);
        for (Entry entry : entries) {
            if (isInside(entry.micros, micros)) {
                inside.add(entry);
            }
        }
        return inside;
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
        return Fraction.of(isInside(charged, micros) ? permits : 0);
    }

    @Override
    public Optional<Use> keptUnder(Limit next, long micros) {
        return next instanceof SlidingLog log && log.window().equals(limit.window())
                ? Optional.of(new LogUse(log, entries))
                : Optional.empty();
    }
}
