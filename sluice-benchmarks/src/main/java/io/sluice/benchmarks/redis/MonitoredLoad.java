package io.sluice.benchmarks.redis;

import io.sluice.OnFailure;
import io.sluice.StoreListener;
import io.sluice.benchmarks.load.Load;
import io.sluice.benchmarks.load.Sample;
import java.time.Duration;
import java.util.concurrent.atomic.LongAdder;

/** A load on Sluice that fails if a call was decided without Redis, and counts the calls that reached Redis. */
final class MonitoredLoad implements Load {
    private final Load load;
    private final Traffic traffic;
    private long calls;
    private long reached;

    /** Counts the events of a store. */
    static final class Traffic implements StoreListener {
        private final LongAdder requests = new LongAdder();
        private final LongAdder degraded = new LongAdder();

        @Override
        public void called(int requests, long nanos) {
            this.requests.add(requests);
        }

        @Override
        public void degraded(String limiter, OnFailure how) {
            degraded.increment();
        }
    }

    MonitoredLoad(Load load, Traffic traffic) {
        this.load = load;
        this.traffic = traffic;
    }

    @Override
    public Sample run(Duration time) throws InterruptedException {
        long requestsBefore = traffic.requests.sum();
        long degradedBefore = traffic.degraded.sum();
        Sample sample = load.run(time);
        long degraded = traffic.degraded.sum() - degradedBefore;
        if (degraded > 0) {
            throw new IllegalStateException(
                    degraded + " calls were answered without Redis (expected: none; the machine may be too busy)");
        }
        calls += sample.calls();
        reached += traffic.requests.sum() - requestsBefore;
        return sample;
    }

    /** The share of all calls so far that reached Redis. */
    double reachedShare() {
        return reached / (double) calls;
    }
}
