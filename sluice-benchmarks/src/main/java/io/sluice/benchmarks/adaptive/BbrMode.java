package io.sluice.benchmarks.adaptive;

/**
 * The BBR rule of Sentinel's system protection: while the load is high, no more requests in flight than the largest rate of successes
 * times the smallest latency, of two windows of 500 ms. Its load is that of the last minute; here it is high at once, as soon as
 * requests wait, which is to its advantage.
 */
final class BbrMode implements Mode {
    private static final long WINDOW = 500_000;
    private static final long LONGEST_MILLIS = 5_000;

    private final long[] starts = {-1, -1};
    private final long[] successes = new long[2];
    private final long[] fastestMillis = {LONGEST_MILLIS, LONGEST_MILLIS};
    private int inFlight;
    private int waiting;

    @Override
    public void waiting(int requests) {
        waiting = requests;
    }

    @Override
    public long enter(long now) {
        window(now);
        if (waiting > 0 && inFlight > number()) {
            return DENIED;
        }
        inFlight++;
        return now;
    }

    @Override
    public void left(long now, long enteredAt, long mark, int inFlightThen) {
        int window = window(now);
        inFlight--;
        successes[window]++;
        fastestMillis[window] = Math.min(fastestMillis[window], (now - enteredAt) / 1000);
    }

    private int window(long now) {
        int window = (int) (now / WINDOW % 2);
        long start = now / WINDOW * WINDOW;
        if (starts[window] != start) {
            starts[window] = start;
            successes[window] = 0;
            fastestMillis[window] = LONGEST_MILLIS;
        }
        return window;
    }

    @Override
    public double number() {
        double perSecond = Math.max(successes[0], successes[1]) * 1e6 / WINDOW;
        return Math.max(1, perSecond * Math.max(1, Math.min(fastestMillis[0], fastestMillis[1])) / 1000);
    }
}
