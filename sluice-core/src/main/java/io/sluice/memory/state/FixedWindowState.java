package io.sluice.memory.state;

import io.sluice.FixedWindow;
import io.sluice.exact.Exact;
import java.io.IOException;

/** The use of a window of constant length: aligned to the epoch, or opened by the first use. */
final class FixedWindowState extends WindowState {
    FixedWindowState(ActiveLimit active) {
        super(active);
    }

    private boolean fromFirst() {
        return ((FixedWindow) active.rule).fromFirst();
    }

    @Override
    long end() {
        return opened + active.windowMicros;
    }

    @Override
    void open(long t) {
        opened = fromFirst() ? t : t - t % active.windowMicros;
    }

    @Override
    WindowState emptyCopy() {
        FixedWindowState copy = new FixedWindowState(active);
        copy.opened = opened;
        return copy;
    }

    @Override
    boolean adopt(State other, long t) {
        if (!(other instanceof FixedWindowState old)
                || old.active.windowMicros != active.windowMicros
                || old.fromFirst() != fromFirst()) {
            return false;
        }
        if (old.isOpen(t)) {
            opened = old.opened;
            count = old.count;
        }
        return true;
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
