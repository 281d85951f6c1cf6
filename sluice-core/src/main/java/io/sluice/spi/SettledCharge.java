package io.sluice.spi;

import io.sluice.Decision;

/**
 * A charge that was settled.
 *
 * @param limiter the name of its limiter
 * @param key its key
 * @param more the permits that were charged by force, beyond the estimate
 * @param less the permits of the estimate that were not used
 * @param decision the decision on 0 permits, right after
 */
public record SettledCharge(String limiter, String key, long more, long less, Decision decision) {}
