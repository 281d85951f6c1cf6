package io.sluice.cli;

/** A request to a limit: who asked when for how many permits. */
record TraceRow(long timeMicros, TraceKey key, long permits) implements Row {}
