package io.sluice.server.simulate.trace;

import java.util.Map;

/** A recorded request with attributes, decided by policies. */
public record PolicyRequest(long timeMicros, Map<String, String> attributes, long permits) implements TimedRequest {}
