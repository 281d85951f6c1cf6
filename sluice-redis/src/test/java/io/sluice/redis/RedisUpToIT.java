package io.sluice.redis;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.Limit;
import io.sluice.LimiterOptions;
import io.sluice.OnFailure;
import io.sluice.RateLimiter;
import io.sluice.testkit.Eventually;
import io.sluice.testkit.redis.RedisProcess;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** Tests {@code acquireUpTo} while Redis is away. */
class RedisUpToIT {
    private static final Duration LONG = Duration.ofSeconds(30);
    private static final Limit LIMIT = Limit.parse("sliding-log 10 per 1d");

    @Test
    void acquireUpTo_redisIsAway_isAnsweredAsTheOptionsSay() {
        try (RedisProcess redis = RedisProcess.start();
                RedisStore store = RedisStore.connect(redis.uri())) {
            RateLimiter allow = limiter(store, OnFailure.ALLOW);
            RateLimiter deny = limiter(store, OnFailure.DENY);
            RateLimiter local = limiter(store, OnFailure.LOCAL);
            redis.pause();
            Eventually.within(LONG, "away", () -> local.peek("key").degraded());

            assertThat(allow.acquireUpTo("key", 77)).isEqualTo(77);
            assertThat(deny.acquireUpTo("key", 7)).isZero();
            assertThat(local.acquireUpTo("key", 7)).isEqualTo(7);
            assertThat(local.acquireUpTo("key", 7)).as("the rest of the share").isEqualTo(3);
            assertThat(local.acquireUpTo("key", 7)).isZero();

            redis.resume();
            Eventually.within(
                    LONG,
                    () -> "the use of the share is charged: " + local.peek("key"),
                    () -> !local.peek("key").degraded() && local.peek("key").remaining() == 0);
        }
    }

    private static RateLimiter limiter(RedisStore store, OnFailure how) {
        RateLimiter limiter = store.limiter(Load.name(how), LimiterOptions.onFailure(how), LIMIT);
        Eventually.within(LONG, "there", () -> !limiter.peek("key").degraded());
        return limiter;
    }
}
