package io.sluice.benchmarks.adaptive;

import io.sluice.adapt.AdaptiveNumber;

/** {@code concurrency adaptive}. */
final class SluiceAdaptive implements Mode {
    private final AdaptiveNumber machine = new AdaptiveNumber(20, 1, 1000);

    @Override
    public long enter(long now) {
        return machine.inFlight() < machine.admitted(now) ? machine.entered(now) : DENIED;
    }

    @Override
    public void left(long now, long enteredAt, long mark, int inFlight) {
        machine.left(now, mark, false);
    }

    @Override
    public double number() {
        return machine.number();
    }
}
