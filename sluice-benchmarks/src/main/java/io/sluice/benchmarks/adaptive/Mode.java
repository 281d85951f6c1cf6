package io.sluice.benchmarks.adaptive;

/** A way to decide which requests the simulated server gets. Times are microseconds. */
interface Mode {
    /** A request that was not admitted. */
    long DENIED = -1;

    /** Admits a request, and returns a mark that {@link #left} gets back; or {@link #DENIED}. */
    long enter(long now);

    /** A request ended that entered at a time, with so many in flight, itself included. */
    void left(long now, long enteredAt, long mark, int inFlight);

    /** Told before each arrival: how many admitted requests wait for a worker. */
    default void waiting(int requests) {}

    /** Told ten times a second: the share of the workers' time that was used since the last time. */
    default void load(long now, double load) {}

    /** What limits at the moment: a number in flight, or a rate. */
    double number();
}
