package io.sluice.benchmarks.adaptive;

/** A constant number in flight: {@code concurrency N}, or none at all. */
final class FixedMode implements Mode {
    private final int most;
    private int inFlight;

    FixedMode(int most) {
        this.most = most;
    }

    @Override
    public long enter(long now) {
        if (inFlight >= most) {
            return DENIED;
        }
        inFlight++;
        return now;
    }

    @Override
    public void left(long now, long enteredAt, long mark, int inFlight) {
        this.inFlight--;
    }

    @Override
    public double number() {
        return most == Integer.MAX_VALUE ? 0 : most;
    }
}
