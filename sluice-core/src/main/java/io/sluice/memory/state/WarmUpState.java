package io.sluice.memory.state;

import io.sluice.exact.Exact;
import io.sluice.exact.WarmUpRate;
import java.io.IOException;
import java.util.Objects;

/*
 * A request pays for the one after it: it is allowed as soon as the one before is paid, at freeAt plus freeParts. From then on
 * the limiter is idle, and units are stored: the more, the colder it is, and the more the next request costs.
 *
 * Reading computes the stored units as of now. Only a take makes them the new state.
 */
/** The units that a key has stored under a limit that warms up, and when the next request is free. */
final class WarmUpState extends State {
    private static final long NEVER_FREE = Long.MAX_VALUE / 2;
    private static final long UNKNOWN = -1;

    /** The units that were stored at {@link #freeAt}. */
    private long stored;

    /** When the next request is free: a whole microsecond, and parts of one (see {@link WarmUpRate#parts}). */
    private long freeAt;

    private long freeParts;

    /** What the latest take took from the stored units, and how far it moved that time. Its receipt needs this. */
    private long takenUnits;

    private long movedMicros;

    private long movedParts;

    /** In a receipt: the units that were stored before the take. Unknown if the receipt comes from another limit. */
    private long takenFrom = UNKNOWN;

    WarmUpState(ActiveLimit active) {
        super(active);
        stored = rate().full();
    }

    private WarmUpRate rate() {
        return Objects.requireNonNull(active.warmUp);
    }

    private boolean isFree(long t) {
        return t > freeAt || (t == freeAt && freeParts == 0);
    }

    private long storedAt(long t) {
        WarmUpRate rate = rate();
        long missing = rate.full() - stored;
        if (t <= freeAt || missing == 0) {
            return stored;
        }
        long idle = t - freeAt;
        if (idle > missing / rate.unitsPerMicro() + 2) {
            return rate.full();
        }
        // (t - free) * r, rounded down. A microsecond has 2 * full parts for each unit that it stores.
        long grown = idle * rate.unitsPerMicro() - Exact.divUp(freeParts, 2 * rate.full());
        return Math.min(rate.full(), stored + grown);
    }

    /** Makes t the time of the state, if the limiter was idle until then. */
    private void arrive(long t) {
        if (t > freeAt) {
            stored = storedAt(t);
            freeAt = t;
            freeParts = 0;
        }
        changedAt(t);
    }

    @Override
    long available(long t) {
        // Less than 0 while the request before is not paid: then even 0 permits are denied.
        return isFree(t) ? active.capacity : -1;
    }

    /** What is not paid is time, not permits. */
    @Override
    long debt(long available) {
        return 0;
    }

    @Override
    long waitFor(long permits, long t) {
        return isFree(t) ? 0 : freeAt - t + (freeParts > 0 ? 1 : 0);
    }

    @Override
    long timeUntilUnused(long t) {
        WarmUpRate rate = rate();
        long missing = rate.full() - storedAt(t);
        if (t > freeAt) {
            return Exact.divUp(missing, rate.unitsPerMicro());
        }
        long micros = freeAt - t + missing / rate.unitsPerMicro();
        long parts = freeParts + missing % rate.unitsPerMicro() * 2 * rate.full();
        return micros + Exact.divUp(parts, rate.parts());
    }

    @Override
    long use(long t) {
        return Exact.divUp(rate().full() - storedAt(t), rate().unitsPerPermit());
    }

    @Override
    public void take(long permits, long t) {
        if (timeUntilUnused(t) == 0) {
            endReceipts();
        }
        arrive(t);
        WarmUpRate rate = rate();
        movedMicros = rate.costMicros(permits, stored);
        movedParts = rate.costParts(permits, stored);
        takenUnits = rate.taken(permits, stored);
        stored -= takenUnits;
        freeAt += movedMicros;
        freeParts += movedParts;
        if (freeParts >= rate.parts()) {
            freeParts -= rate.parts();
            freeAt++;
        }
    }

    @Override
    void giveBack(long permits, long t) {
        arrive(t);
        WarmUpRate rate = rate();
        addStored(units(permits));
        // More permits than these cost more than there is to pay, and their price might not fit a long.
        long enough = Exact.mulDivSaturated(freeAt - t + 1, rate.unitsPerMicro(), rate.unitsPerPermit()) + 1;
        long back = Math.min(permits, enough);
        moveBack(rate.costMicros(back, stored), rate.costParts(back, stored), t);
    }

    private void addStored(long units) {
        stored = Math.min(rate().full(), stored + units);
    }

    private void moveBack(long micros, long parts, long t) {
        freeAt -= micros;
        freeParts -= parts;
        if (freeParts < 0) {
            freeParts += rate().parts();
            freeAt--;
        }
        if (freeAt < t) {
            freeAt = t;
            freeParts = 0;
        }
    }

    @Override
    long maxUse() {
        return Exact.MAX_NUMBER;
    }

    @Override
    public long takable(long permits, long t) {
        long ahead = WarmUpRate.MAX_AHEAD - waitFor(0, t);
        WarmUpRate rate = rate();
        return ahead <= 0
                ? 0
                : Math.min(permits, Exact.mulDivSaturated(ahead, rate.unitsPerMicro(), rate.unitsPerPermit()));
    }

    /** What is held tentatively has moved the time at which the next request is free, so only that may deny. */
    @Override
    public boolean allowsWithoutTentative(long permits, long t) {
        return deniedFor(t) == 0 && (isFree(t) || isTentative()) && permits <= active.capacity;
    }

    /** A state that is never free and from which only these units are missing. */
    @Override
    public State receipt(long permits) {
        WarmUpState receipt = receiptOf(takenUnits, movedMicros, movedParts);
        receipt.takenFrom = stored + takenUnits;
        return receipt;
    }

    private WarmUpState receiptOf(long units, long micros, long parts) {
        WarmUpState receipt = new WarmUpState(active);
        receipt.stored = rate().full() - units;
        receipt.freeAt = NEVER_FREE;
        receipt.movedMicros = micros;
        receipt.movedParts = parts;
        receipt.changedAt(last);
        return receipt;
    }

    /** Permits of another algorithm have not moved the time at which the next request is free. */
    @Override
    public State asReceipt(long permits, State before) {
        return before instanceof WarmUpState ? this : receiptOf(units(Math.min(permits, use(last))), 0, 0);
    }

    @Override
    public void cancel(State receipt, long permits, long t) {
        WarmUpState taken = (WarmUpState) receipt;
        giveBack(rate().full() - taken.stored, taken.movedMicros, taken.movedParts, t);
    }

    /** What the rest of the permits would have taken and moved is kept. Under another limit, a part goes back as any permits do. */
    @Override
    public void undo(State receipt, long permits, long part, long t) {
        WarmUpState taken = (WarmUpState) receipt;
        if (part == permits) {
            cancel(receipt, permits, t);
            return;
        } else if (taken.takenFrom == UNKNOWN) {
            refund(part, t);
            return;
        }
        WarmUpRate rate = rate();
        long rest = permits - part;
        long units = rate.full() - taken.stored - rate.taken(rest, taken.takenFrom);
        long micros = taken.movedMicros - rate.costMicros(rest, taken.takenFrom);
        long parts = taken.movedParts - rate.costParts(rest, taken.takenFrom);
        giveBack(units, parts < 0 ? micros - 1 : micros, parts < 0 ? parts + rate.parts() : parts, t);
    }

    /** Gives back units and the time that they cost. */
    private void giveBack(long units, long micros, long parts, long t) {
        if (timeUntilUnused(t) > 0) {
            arrive(t);
            addStored(units);
            moveBack(micros, parts, t);
        }
    }

    @Override
    boolean adopt(State other, long t) {
        if (!(other instanceof WarmUpState old)) {
            return false;
        }
        WarmUpRate rate = rate();
        long oldParts = old.rate().parts();
        stored = rate.full() - units(old.use(t));
        freeAt = old.isFree(t) ? t : old.freeAt;
        freeParts = old.isFree(t) ? 0 : Exact.mulDivUp(old.freeParts, rate.parts(), oldParts);
        if (freeParts == rate.parts()) {
            freeParts = 0;
            freeAt++;
        }
        movedMicros = old.movedMicros;
        movedParts = Exact.mulDiv(old.movedParts, rate.parts(), oldParts);
        takenFrom = UNKNOWN;
        return true;
    }

    /** Use of another algorithm is missing in the stored units. The next request is free. */
    @Override
    void carry(long use, long t) {
        stored = rate().full() - units(use);
        freeAt = t;
        freeParts = 0;
    }

    /** The units of permits, at most all that can be stored. */
    private long units(long permits) {
        WarmUpRate rate = rate();
        return permits > rate.full() / rate.unitsPerPermit() ? rate.full() : permits * rate.unitsPerPermit();
    }

    @Override
    void saveUse(StateOutput out) {
        out.number(rate().full() - stored);
        out.signed(freeAt - last);
        out.number(freeParts);
    }

    @Override
    void restoreUse(StateInput in) throws IOException {
        stored = rate().full() - in.number("use", rate().full());
        freeAt = last + in.signed("time until a request is free", Exact.MAX_TIME_SPAN);
        freeParts = in.number("part of a microsecond", rate().parts() - 1);
    }
}
