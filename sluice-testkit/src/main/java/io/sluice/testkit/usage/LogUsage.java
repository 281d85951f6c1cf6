package io.sluice.testkit.usage;

import io.sluice.Limit;
import io.sluice.SlidingLog;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The usage of a sliding log.
 *
 * @param entries the charges, the oldest first; some may have left the window
 */
record LogUsage(SlidingLog limit, List<Entry> entries) implements Usage {
    /** The permits of one charge. */
    record Entry(long micros, long permits) {}

    static LogUsage fresh(SlidingLog limit) {
        return new LogUsage(limit, List.of());
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

    private static long sum(List<Entry> entries) {
        return entries.stream().mapToLong(Entry::permits).sum();
    }

    private boolean isInside(long charged, long micros) {
        return charged > micros - span();
    }

    @Override
    public Usage plus(long permits, long micros) {
        List<Entry> longer = inside(micros);
        int last = longer.size() - 1;
        // Charges of one microsecond are one entry.
        if (last >= 0 && longer.get(last).micros == micros) {
            longer.set(last, new Entry(micros, longer.get(last).permits + permits));
        } else {
            longer.add(new Entry(micros, permits));
        }
        // In debt, only the newest entries are kept that together exceed the limit.
        while (sum(longer.subList(1, longer.size())) > limit.permits()) {
            longer.remove(0);
        }
        return new LogUsage(limit, longer);
    }

    @Override
    public Usage minus(Fraction permits, long micros) {
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
        return new LogUsage(limit, shorter);
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
        return Fraction.of(isInside(charged, micros) ? permits : 0);
    }

    @Override
    public Usage undo(long part, long permits, long charged, Usage after, long micros) {
        List<Entry> shorter = new ArrayList<>();
        if (inside(micros).stream().noneMatch(entry -> entry.micros == charged)) {
            return this;
        }
        for (Entry entry : inside(micros)) {
            long left = entry.micros == charged ? Math.max(0, entry.permits - part) : entry.permits;
            if (left > 0) {
                shorter.add(new Entry(entry.micros, left));
            }
        }
        return new LogUsage(limit, shorter);
    }

    @Override
    public Optional<Usage> convertIfSameKind(Limit next, long micros) {
        return next instanceof SlidingLog log && log.window().equals(limit.window())
                ? Optional.of(new LogUsage(log, entries))
                : Optional.empty();
    }
}
