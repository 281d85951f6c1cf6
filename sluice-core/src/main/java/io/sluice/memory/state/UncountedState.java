package io.sluice.memory.state;

import io.sluice.Blocked;
import io.sluice.Unlimited;

/** A key of {@link Unlimited} or {@link Blocked}, of which no use is counted. It is only made for a key that is paused. */
final class UncountedState extends State {
    UncountedState(Terms terms) {
        super(terms);
    }

    @Override
    long room(long t) {
        return terms.capacity;
    }

    @Override
    long waitFor(long permits, long t) {
        return 0;
    }

    @Override
    long unusedIn(long t) {
        return 0;
    }

    @Override
    public void take(long permits, long t) {}

    @Override
    void giveBack(long permits, long t) {}

    @Override
    long most() {
        return Long.MAX_VALUE;
    }

    @Override
    public State receipt(long permits) {
        return new UncountedState(terms);
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
