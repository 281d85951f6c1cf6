package io.sluice.memory.state;

import io.sluice.Blocked;
import io.sluice.Unlimited;

/** The state of a key of {@link Unlimited} or {@link Blocked}: no use is counted. It exists only for paused keys. */
final class UncountedState extends State {
    UncountedState(ActiveLimit active) {
        super(active);
    }

    @Override
    long available(long t) {
        return active.capacity;
    }

    @Override
    long waitFor(long permits, long t) {
        return 0;
    }

    @Override
    long timeUntilUnused(long t) {
        return 0;
    }

    @Override
    public void take(long permits, long t) {}

    @Override
    void giveBack(long permits, long t) {}

    @Override
    long maxUse() {
        return Long.MAX_VALUE;
    }

    @Override
    public State receipt(long permits) {
        return new UncountedState(active);
    }

    @Override
    boolean adopt(State other, long t) {
        return true;
    }

    @Override
    void saveUse(StateOutput out) {}

    @Override
    void restoreUse(StateInput in) {}
}
