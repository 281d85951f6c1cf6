package io.sluice.server.json;

/** A request with the time at which it was made. */
public record TimedCheckRequest(long timeMicros, CheckRequest check) {}
