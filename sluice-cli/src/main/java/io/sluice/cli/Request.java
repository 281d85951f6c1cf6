package io.sluice.cli;

import java.util.Map;

/** A request to policies: what is known of it, when it was made, and for how many permits. */
record Request(long timeMicros, Map<String, String> attributes, long permits) implements Row {}
