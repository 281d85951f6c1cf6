package io.sluice.memory.state;

import io.sluice.exact.Exact;

/** The slots of a sliding counter. Only slots with use are stored. */
final class CounterState extends RingState {
    CounterState(ActiveLimit active) {
        super(active);
    }

    private long slots() {
        return active.slots;
    }

    private long slotLength() {
        return active.slotMicros;
    }

    @Override
    long mark(long t) {
        return t / slotLength();
    }

    /** The slot that is sliding out. */
    @Override
    long oldest(long t) {
        return mark(t) - slots();
    }

    @Override
    boolean marksAs(State other) {
        return other instanceof CounterState counter
                && counter.slotLength() == slotLength()
                && counter.slots() == slots();
    }

    @Override
    long available(long t) {
        long oldest = oldest(t);
        long rest = slotLength() - t % slotLength();
        long use = entries.total();
        for (int i = 0; i < entries.size() && entries.mark(i) <= oldest; i++) {
            use -= entries.count(i);
            if (entries.mark(i) == oldest) {
                use += Exact.mulDivUp(entries.count(i), rest, slotLength());
            }
        }
        return active.capacity - use;
    }

    @Override
    long waitFor(long permits, long t) {
        // The estimate falls only while a slot slides out of the window. Find the first slot, oldest first, after which
        // enough permits are free. Within it, solve c * (S - r) / S <= free for the smallest r.
        long free = active.capacity - permits - entries.total();
        for (int i = 0; free < 0; i++) {
            long count = entries.count(i);
            free += count;
            if (free >= 0) {
                long into = slotLength() - Exact.mulDiv(free, slotLength(), count);
                return Math.max(0, (entries.mark(i) + slots()) * slotLength() + into - t);
            }
        }
        return 0;
    }

    @Override
    long timeUntilUnused(long t) {
        if (entries.size() == 0) {
            return 0;
        }
        return Math.max(0, (entries.mark(entries.size() - 1) + slots() + 1) * slotLength() - t);
    }

    /** Rounded down: a fraction of a permit is not given back. */
    @Override
    long stillUsed(long t) {
        long oldest = oldest(t);
        if (entries.size() == 0 || entries.mark(0) < oldest) {
            return 0;
        }
        return entries.mark(0) > oldest
                ? entries.total()
                : Exact.mulDiv(entries.total(), slotLength() - t % slotLength(), slotLength());
    }
}
