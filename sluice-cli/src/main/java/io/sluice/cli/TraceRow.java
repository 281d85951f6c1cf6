package io.sluice.cli;

/** One row of a trace: who asked when for how many permits. */
record TraceRow(long timeMicros, TraceKey key, long permits) {}
