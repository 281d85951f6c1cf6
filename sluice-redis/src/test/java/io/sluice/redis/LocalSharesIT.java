package io.sluice.redis;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.Decision;
import io.sluice.Limit;
import io.sluice.OnFailure;
import io.sluice.RateLimiter;
import io.sluice.testkit.Eventually;
import io.sluice.testkit.redis.RedisProcess;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests that each process enforces its local share while Redis is away. */
class LocalSharesIT {
    private static final int PROCESSES = 3;
    private static final Duration LONG = Duration.ofSeconds(30);

    @ParameterizedTest
    @ValueSource(
            strings = {
                "token-bucket 1/d burst 100",
                "leaky-bucket 1/d capacity 100",
                "fixed-window 100 per 1d from-first",
                "sliding-log 100 per 1d",
                "sliding-counter 100 per 1d"
            })
    void threeProcesses_divideTheLimit_andReturnToRedis(String limit) {
        List<RedisStore> stores = new ArrayList<>();
        try (RedisProcess redis = RedisProcess.start()) {
            for (int i = 0; i < PROCESSES; i++) {
                stores.add(RedisStore.builder()
                        .uri(redis.uri())
                        .onFailure(OnFailure.LOCAL)
                        .build());
            }
            List<RateLimiter> limiters = stores.stream()
                    .map(store -> store.limiter("shared", Limit.parse(limit)))
                    .toList();
            Eventually.within(
                    Duration.ofSeconds(2),
                    () -> "all know of each other",
                    () -> stores.stream().allMatch(store -> store.processes() == PROCESSES));

            for (int outage = 1; outage <= 2; outage++) {
                redis.kill();
                long expected = outage == 1 ? 100 / PROCESSES : 0;
                for (RateLimiter limiter : limiters) {
                    assertThat(admittedWithoutRedis(limiter))
                            .as("outage %s: what was used stays used", outage)
                            .isEqualTo(expected);
                }
                redis.restart();
                for (RateLimiter limiter : limiters) {
                    Eventually.within(
                            Duration.ofSeconds(2),
                            () -> "it is back",
                            () -> !limiter.check("other", 1).degraded());
                }
                // Redis has lost its state, and was charged with the local use of each process.
                long left = outage == 1 ? 100 - PROCESSES * (100 / PROCESSES) : 100;
                for (RateLimiter limiter : limiters) {
                    Eventually.within(
                            Duration.ofSeconds(2),
                            () -> "what was used is charged: " + limiter.peek("key"),
                            () -> isLeft(limiter.peek("key"), left));
                }
            }
        } finally {
            stores.forEach(RedisStore::close);
        }
    }

    @Test
    void severalLimits_areChargedWithTheirOwnRemainingUse() {
        try (RedisProcess redis = RedisProcess.start();
                RedisStore store = RedisStore.builder()
                        .uri(redis.uri())
                        .onFailure(OnFailure.LOCAL)
                        .build()) {
            Limit quick = Limit.parse("token-bucket 1 per 10ms burst 10");
            RateLimiter limiter = store.limiter("two", quick, Limit.parse("sliding-log 35 per 1d"));
            Eventually.within(LONG, "there", () -> isLeft(limiter.peek("key"), 10));
            redis.pause();
            Eventually.within(LONG, "away", () -> limiter.peek("key").degraded());
            long[] used = new long[1];
            // Three times what the first limit has at once.
            Eventually.within(LONG, "the share refills", () -> {
                used[0] += limiter.check("key", 1).allowed() ? 1 : 0;
                return used[0] == 30;
            });
            redis.resume();
            // In debt, the first limit would have nothing; were it not charged by itself, the second would have more.
            Eventually.within(LONG, () -> "5 are left: " + limiter.peek("key"), () -> isLeft(limiter.peek("key"), 5));
            assertThat(limiter.check("key", 5).allowed()).isTrue();
            assertThat(limiter.check("key", 1).allowed()).isFalse();
            assertThat(limiter.check("key", 1).resetAfter()).isGreaterThan(Duration.ofHours(1));
        }
    }

    private static boolean isLeft(Decision decision, long left) {
        return !decision.degraded() && decision.remaining() == left;
    }

    private static long admittedWithoutRedis(RateLimiter limiter) {
        long admitted = 0;
        for (int i = 0; i < 100; i++) {
            Decision decision = limiter.check("key", 1);
            assertThat(decision.degraded()).isTrue();
            admitted += decision.allowed() ? 1 : 0;
        }
        return admitted;
    }
}
