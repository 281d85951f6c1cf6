package io.sluice.server.json;

/** A request to policies, and when it was made. */
public record TimedCheck(long timeMicros, Check check) {}
