package io.sluice.server.json;

import java.util.Map;

/**
 * A request that the policies decide.
 *
 * @param permits the permits to take; 0 takes nothing
 */
public record CheckRequest(Map<String, String> attributes, long permits) {}
