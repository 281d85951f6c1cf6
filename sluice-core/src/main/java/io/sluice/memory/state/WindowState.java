package io.sluice.memory.state;

import io.sluice.exact.Exact;

/** The use of a window that begins and ends at fixed times. */
abstract class WindowState extends State {
    long opened;
    long count;

    WindowState(ActiveLimit active) {
        super(active);
    }

    /** When the latest window ends. */
    abstract long end();

    /** Sets the window of a use at t, which is not in the latest one. */
    abstract void open(long t);

    /** A state with the same window and no use. */
    abstract WindowState emptyCopy();

    final boolean isOpen(long t) {
        return count > 0 && t < end();
    }

    @Override
    long available(long t) {
        return active.capacity - (isOpen(t) ? count : 0);
    }

    @Override
    long waitFor(long permits, long t) {
        return permits <= available(t) ? 0 : timeUntilUnused(t);
    }

    @Override
    long timeUntilUnused(long t) {
        return isOpen(t) ? end() - t : 0;
    }

    @Override
    public void take(long permits, long t) {
        if (!isOpen(t)) {
            open(t);
            count = 0;
        }
        count += permits;
        changedAt(t);
    }

    @Override
    void giveBack(long permits, long t) {
        count = isOpen(t) ? Math.max(0, count - permits) : 0;
        changedAt(t);
    }

    @Override
    long maxUse() {
        return Exact.MAX_NUMBER;
    }

    @Override
    public State receipt(long permits) {
        WindowState receipt = emptyCopy();
        receipt.count = count;
        receipt.changedAt(last);
        return receipt;
    }

    /** Gives back only into the window of the receipt. A locked-out key may have opened another window since. */
    @Override
    public void cancel(State receipt, long permits, long t) {
        if (((WindowState) receipt).opened == opened) {
            super.cancel(receipt, permits, t);
        }
    }
}
