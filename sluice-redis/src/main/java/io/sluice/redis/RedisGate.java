package io.sluice.redis;

import io.sluice.Gate;
import io.sluice.RateLimiter;
import java.util.Objects;

/** A key of a {@link RedisLimiter}. Nothing is to be remembered of it here: Redis has it all. */
record RedisGate(RateLimiter limiter, String key) implements Gate {
    RedisGate {
        Objects.requireNonNull(key, "key");
    }
}
