package io.sluice.cli.simulate.trace;

import java.util.Map;

/** A request to policies: what is known of it, when it was made, and for how many permits. */
public record PolicyRequest(long timeMicros, Map<String, String> attributes, long permits) implements TimedRequest {}
