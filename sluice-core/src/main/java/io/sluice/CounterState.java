package io.sluice;

/** The counts of the slots of a sliding window; only slots in which something was used are kept. */
final class CounterState extends State {
    private final Ring slots = new Ring();

    CounterState(Terms terms) {
        super(terms);
    }

    private SlidingCounter limit() {
        return (SlidingCounter) terms.rule;
    }

    private long slotLength() {
        return Exact.micros(limit().window()) / limit().slots();
    }

    /** The number of the slot that is sliding out at t: the oldest that weighs anything. */
    private long oldest(long t) {
        return t / slotLength() - limit().slots();
    }

    @Override
    long room(long t) {
        long oldest = oldest(t);
        long rest = slotLength() - t % slotLength();
        long use = slots.total();
        for (int i = 0; i < slots.size() && slots.mark(i) <= oldest; i++) {
            use -= slots.count(i);
            if (slots.mark(i) == oldest) {
                use += Exact.mulDivUp(slots.count(i), rest, slotLength());
            }
        }
        return terms.capacity - use;
    }

    @Override
    long waitFor(long permits, long t) {
        // The estimate only falls while a slot slides out. So it falls low enough while that slot does, oldest first,
        // after which the rest leaves room: then c * (S - r) / S <= free, solved for the least r.
        long free = terms.capacity - permits - slots.total();
        for (int i = 0; free < 0; i++) {
            long count = slots.count(i);
            free += count;
            if (free >= 0) {
                long into = slotLength() - Exact.mulDiv(free, slotLength(), count);
                return Math.max(0, (slots.mark(i) + limit().slots()) * slotLength() + into - t);
            }
        }
        return 0;
    }

    @Override
    long unusedIn(long t) {
        if (slots.size() == 0) {
            return 0;
        }
        return Math.max(0, (slots.mark(slots.size() - 1) + limit().slots() + 1) * slotLength() - t);
    }

    @Override
    void take(long permits, long t) {
        slots.dropBelow(oldest(t));
        slots.add(t / slotLength(), permits);
        changed(t);
    }

    @Override
    void giveBack(long permits, long t) {
        slots.dropBelow(oldest(t));
        slots.takeNewest(permits);
        changed(t);
    }

    @Override
    long most() {
        return Exact.MOST;
    }

    @Override
    State receipt(long permits) {
        CounterState receipt = new CounterState(terms);
        receipt.take(permits, last);
        return receipt;
    }

    @Override
    long stillUsed(long t) {
        // Rounded down: a part of a permit is not given back.
        long oldest = oldest(t);
        if (slots.size() == 0 || slots.mark(0) < oldest) {
            return 0;
        }
        return slots.mark(0) > oldest
                ? slots.total()
                : Exact.mulDiv(slots.total(), slotLength() - t % slotLength(), slotLength());
    }

    @Override
    boolean adopt(State other, long t) {
        if (!(other instanceof CounterState old)
                || old.slotLength() != slotLength()
                || old.limit().slots() != limit().slots()) {
            return false;
        }
        slots.copy(old.slots);
        slots.dropBelow(oldest(t));
        return true;
    }
}
