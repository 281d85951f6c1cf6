package io.sluice.redis.call;

import io.sluice.TimeSource;
import io.sluice.redis.script.KeyNames;
import org.jspecify.annotations.Nullable;

/**
 * The parts of a store from which a {@link LimiterContext} is made. Only the store keeps it.
 *
 * @param virtualTime the time of tests and simulations; null for the clock of Redis
 */
public record CallServices(
        KeyNames names,
        @Nullable TimeSource virtualTime,
        ColdStart coldStart,
        DenialMemory denials,
        Events events,
        Health health,
        LocalShares localShares,
        Lanes lanes,
        Holds holds) {}
