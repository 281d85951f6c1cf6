package io.sluice.cli.simulate.trace;

/** One request of a trace. */
public interface TimedRequest {
    /** When it was made, in microseconds since the Unix epoch. */
    long timeMicros();
}
