package io.sluice.policy;

import io.sluice.RateLimiter;
import io.sluice.spi.LimiterSpec;
import java.util.List;

/**
 * Policies that could be put in force: compiled, and their limiters made.
 *
 * @param rules decide as soon as these limits are in force
 * @param shared the limits in the store that all processes share
 * @param own the limits in this process's own store, if that is another
 * @param inShared the limiters of {@code shared}, in their order
 * @param inOwn the limiters of {@code own}, in their order
 */
record Prepared(
        Ruleset rules,
        List<LimiterSpec> shared,
        List<LimiterSpec> own,
        List<RateLimiter> inShared,
        List<RateLimiter> inOwn) {}
