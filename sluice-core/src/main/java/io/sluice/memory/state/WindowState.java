package io.sluice.memory.state;

import io.sluice.FixedWindow;
import io.sluice.exact.Exact;
import java.io.IOException;

/** The use of a fixed window, aligned to the epoch or opened by the first use. */
final class WindowState extends State {
    private long opened;
    private long count;

    WindowState(Terms terms) {
        super(terms);
    }

    private FixedWindow limit() {
        return (FixedWindow) terms.rule;
    }

    private long length() {
        return Exact.micros(limit().window());
    }

    private boolean isOpen(long t) {
        return count > 0 && t - opened < length();
    }

    @Override
    long room(long t) {
        return terms.capacity - (isOpen(t) ? count : 0);
    }

    @Override
    long waitFor(long permits, long t) {
        return permits <= room(t) ? 0 : unusedIn(t);
    }

    @Override
    long unusedIn(long t) {
        return isOpen(t) ? opened + length() - t : 0;
    }

    @Override
    public void take(long permits, long t) {
        if (!isOpen(t)) {
            opened = limit().fromFirst() ? t : t - t % length();
            count = 0;
        }
        count += permits;
        changed(t);
    }

    @Override
    void giveBack(long permits, long t) {
        count = isOpen(t) ? Math.max(0, count - permits) : 0;
        changed(t);
    }

    @Override
    long most() {
        return Exact.MOST;
    }

    @Override
    public State receipt(long permits) {
        WindowState receipt = new WindowState(terms);
        receipt.copy(this);
        receipt.changed(last);
        return receipt;
    }

    /** A lockout may keep a key whose window was given back whole; what is used next opens another one. */
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
        count = in.number("use", most());
        opened = last - in.number("age of the window", Exact.FARTHEST);
    }
}
