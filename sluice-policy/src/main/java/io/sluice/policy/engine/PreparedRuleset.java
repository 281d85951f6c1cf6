package io.sluice.policy.engine;

import io.sluice.RateLimiter;
import io.sluice.spi.LimiterSpec;
import java.util.List;

/**
 * A compiled ruleset with its limiters, ready to be put in force.
 *
 * @param rules can decide as soon as these limits are in force
 * @param shared the limits in the shared store
 * @param own the limits in the memory store of this process, if that is another store
 * @param sharedLimiters the limiters of {@code shared}, in the same order
 * @param ownLimiters the limiters of {@code own}, in the same order
 */
record PreparedRuleset(
        Ruleset rules,
        List<LimiterSpec> shared,
        List<LimiterSpec> own,
        List<RateLimiter> sharedLimiters,
        List<RateLimiter> ownLimiters) {}
