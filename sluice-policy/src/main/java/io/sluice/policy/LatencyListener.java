package io.sluice.policy;

/**
 * Receives the latency of each decision of an engine, for metrics. It is called on the thread that gets the decision, so an
 * implementation must be fast and must not block. Its exceptions are ignored. Decisions are timed only while there is a
 * listener.
 */
@FunctionalInterface
public interface LatencyListener {
    /** A decision took this long, in nanoseconds. */
    void decided(long nanos);
}
