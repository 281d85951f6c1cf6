package io.sluice.server.decide;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.Decision;
import io.sluice.Limit;
import io.sluice.redis.RedisStore;
import io.sluice.testkit.redis.RedisProcess;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class CallLimitsIT {
    @Test
    void checkAsync_anotherLimit_keepsWhatWasUsed_andAllowsWithoutRedis() {
        try (RedisProcess redis = RedisProcess.start();
                RedisStore store = RedisStore.builder()
                        .uri("redis://127.0.0.1:" + redis.port())
                        .deadline(Duration.ofSeconds(10))
                        .build()) {
            CallLimits limits = new CallLimits(store, "call ");
            assertThat(check(limits, 7, "10 per 1h").remaining()).isEqualTo(3);
            assertThat(check(limits, 1, "20 per 1h").remaining()).isEqualTo(12);
            assertThat(check(limits, 3, "10 per 1h").allowed()).isFalse();
            assertThat(check(limits, 2, "10 per 1h").allowed()).isTrue();
            redis.kill();
            Decision away = check(limits, 2, "20 per 1h");
            assertThat(away.allowed()).isTrue();
            assertThat(away.degraded()).isTrue();
            assertThat(check(limits, 2, "40 per 1h").degraded()).isTrue();
        }
    }

    private static Decision check(CallLimits limits, long permits, String limit) {
        return limits.checkAsync("k", permits, Limit.parse(limit))
                .toCompletableFuture()
                .join();
    }
}
