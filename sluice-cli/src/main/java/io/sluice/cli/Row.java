package io.sluice.cli;

/** One request of a trace. */
interface Row {
    /** When it was made, in microseconds since the Unix epoch. */
    long timeMicros();
}
