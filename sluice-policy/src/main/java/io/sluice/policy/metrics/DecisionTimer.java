package io.sluice.policy.metrics;

import io.sluice.policy.LatencyListener;
import java.util.Arrays;

/** Times decisions while somebody listens; else it costs one read. Thread-safe. */
public final class DecisionTimer {
    private volatile LatencyListener[] listeners = {};

    /** Adds a listener. */
    public synchronized void add(LatencyListener listener) {
        LatencyListener[] more = Arrays.copyOf(listeners, listeners.length + 1);
        more[more.length - 1] = listener;
        listeners = more;
    }

    /** Removes a listener. */
    public synchronized void remove(LatencyListener listener) {
        listeners = Arrays.stream(listeners)
                .filter(other -> !other.equals(listener))
                .toArray(LatencyListener[]::new);
    }

    /** The start of a decision in nanoseconds; 0 if nobody listens. */
    public long start() {
        return listeners.length == 0 ? 0 : System.nanoTime();
    }

    /**
     * The end of a decision.
     *
     * @param started what {@link #start()} returned
     */
    public void stop(long started) {
        if (started == 0) {
            return;
        }
        long nanos = System.nanoTime() - started;
        for (LatencyListener listener : listeners) {
            try {
                listener.decided(nanos);
            } catch (RuntimeException e) {
                // The request is decided and charged, so its answer must not be lost.
            }
        }
    }
}
