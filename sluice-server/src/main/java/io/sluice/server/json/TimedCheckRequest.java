package io.sluice.server.json;

import java.util.Map;

/**
 * A request with the time at which it was made.
 *
 * @param signals the values of signals that were measured just before it, by their names; empty if there are none
 */
public record TimedCheckRequest(long timeMicros, CheckRequest check, Map<String, Double> signals) {}
