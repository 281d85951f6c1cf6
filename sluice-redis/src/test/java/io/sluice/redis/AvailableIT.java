package io.sluice.redis;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.Limit;
import io.sluice.LimiterOptions;
import io.sluice.OnFailure;
import io.sluice.RateLimiter;
import io.sluice.spi.LimiterSpec;
import io.sluice.testkit.Eventually;
import io.sluice.testkit.redis.RedisProcess;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A store that says it is available decides by Redis. */
class AvailableIT {
    @Test
    void available_afterRedisWasAwayAtTheStart_meansThatRedisDecides() {
        try (RedisProcess redis = RedisProcess.start()) {
            for (int round = 0; round < 10; round++) {
                redis.kill();
                try (RedisStore store = RedisStore.builder()
                        .uri(redis.uri())
                        .prefix(TestRedis.newPrefix())
                        .connectWait(Duration.ZERO)
                        .deadline(Duration.ofSeconds(10))
                        .build()) {
                    RateLimiter limiter = store.enforce(List.of(new LimiterSpec(
                                    "api", LimiterOptions.onFailure(OnFailure.DENY), Limit.parse("10/s"))))
                            .get(0);
                    assertThat(store.decide(List.of(limiter.charge("key", 1))).allowed())
                            .isFalse();
                    assertThat(store.isAvailable()).isFalse();
                    redis.restart();
                    Eventually.within(Duration.ofSeconds(30), "available", store::isAvailable);
                    assertThat(store.decide(List.of(limiter.charge("key", 1))).allowed())
                            .as("round %s", round)
                            .isTrue();
                }
            }
        }
    }
}
