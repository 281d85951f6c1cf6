package io.sluice.benchmarks.adaptive;

import com.netflix.concurrency.limits.Limit;

/** A limit of Netflix concurrency-limits, driven as its own limiter drives it. */
final class NetflixMode implements Mode {
    private final Limit limit;
    private int inFlight;

    NetflixMode(Limit limit) {
        this.limit = limit;
    }

    @Override
    public long enter(long now) {
        if (inFlight >= limit.getLimit()) {
            return DENIED;
        }
        inFlight++;
        return now;
    }

    @Override
    public void left(long now, long enteredAt, long mark, int inFlightThen) {
        inFlight--;
        limit.onSample(enteredAt * 1000, Math.max(1, (now - enteredAt) * 1000), inFlightThen, false);
    }

    @Override
    public double number() {
        return limit.getLimit();
    }
}
