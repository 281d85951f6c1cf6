package io.sluice.server.simulate.trace;

/** A recorded request for permits of one key, decided by a limit. */
public record KeyRequest(long timeMicros, TraceKey key, long permits) implements TimedRequest {}
