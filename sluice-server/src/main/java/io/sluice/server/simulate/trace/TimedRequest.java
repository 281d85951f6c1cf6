package io.sluice.server.simulate.trace;

/** A recorded request. */
public interface TimedRequest {
    /** The time of the request, in microseconds since the Unix epoch. */
    long timeMicros();
}
