package io.sluice.server.json;

import java.util.Map;

/**
 * A request to policies.
 *
 * @param attributes what is known of it
 * @param permits what it costs; 0 only looks
 */
public record Check(Map<String, String> attributes, long permits) {}
