package io.sluice.memory.state;

import io.sluice.FixedWindow;
import io.sluice.exact.Exact;
import java.io.IOException;

/** The use of a fixed window: aligned to the epoch, or opened by the first use. */
final class WindowState extends State {
    private long opened;
    private long count;

    WindowState(ActiveLimit active) {
        super(active);
    }

    private FixedWindow limit() {
        return (FixedWindow) active.rule;
    }

    private long length() {
        return Exact.micros(limit().window());
    }

    private boolean isOpen(long t) {
        return count > 0 && t - opened < length();
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
        return isOpen(t) ? opened + length() - t : 0;
    }

    @Override
    public void take(long permits, long t) {
        if (!isOpen(t)) {
            opened = limit().fromFirst() ? t : t - t % length();
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
        WindowState receipt = new WindowState(active);
        receipt.copy(this);
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

    @Override
    boolean adopt(State other, long t) {
        if (!(other instanceof WindowState old)
                || old.length() != length()
                || old.limit().fromFirst() != limit().fromFirst()) {
            return false;
        }
        if (old.isOpen(t)) {
            copy(old);
        }
        return true;
    }

    private void copy(WindowState other) {
        opened = other.opened;
        count = other.count;
    }

    @Override
    void saveUse(StateOutput out) {
        out.number(count);
        out.number(count == 0 ? 0 : last - opened);
    }

    @Override
    void restoreUse(StateInput in) throws IOException {
        count = in.number("use", maxUse());
        opened = last - in.number("age of the window", Exact.MAX_TIME_SPAN);
    }
}
