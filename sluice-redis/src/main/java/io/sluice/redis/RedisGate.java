package io.sluice.redis;

import io.sluice.Gate;
import io.sluice.RateLimiter;
import java.util.Objects;

/** A gate of a {@link RedisLimiter}. It has no state of its own. */
record RedisGate(RateLimiter limiter, String key) implements Gate {
    RedisGate {
        Objects.requireNonNull(key, "key");
    }
}
