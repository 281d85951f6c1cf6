package io.sluice.cli.simulate.trace;

/** A request to a limit: who asked when for how many permits. */
public record KeyRequest(long timeMicros, TraceKey key, long permits) implements TimedRequest {}
