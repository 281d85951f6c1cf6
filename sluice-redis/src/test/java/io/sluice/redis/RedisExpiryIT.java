package io.sluice.redis;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.Decision;
import io.sluice.Limit;
import io.sluice.RateLimiter;
import io.sluice.testkit.Eventually;
import io.sluice.testkit.redis.RedisProcess;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests that every key expires when its state is fresh again, and never earlier, by the clock of Redis. */
class RedisExpiryIT {
    private RedisProcess redis;
    private RedisStore store;

    @BeforeEach
    void start() {
        redis = RedisProcess.start();
        store = RedisStore.builder()
                .uri(redis.uri())
                .deadline(Duration.ofSeconds(10))
                .build();
    }

    @AfterEach
    void stop() {
        store.close();
        redis.close();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "10 per 7s",
                "10 per 7s refill interval",
                "leaky-bucket 10 per 7s",
                "fixed-window 10 per 7s from-first",
                "fixed-window 10 per 1h",
                "sliding-log 10 per 7s",
                "sliding-log 1000 per 7s",
                "sliding-counter 10 per 1h",
                "sliding-log 10 per 7s lockout 3h",
                "1 per 365d",
                "fixed-window 10 per year zone Asia/Kolkata",
                "warm-up 10 per 7s over 9s",
                "warm-up 1/h over 30d",
                "sliding-log 10 per 7s lockout 3h escalate 4"
            })
    void key_afterUse_livesAsLongAsItsState(String limit) {
        RateLimiter limiter = store.limiter(limit, Limit.parse(limit));
        long before = System.nanoTime();
        limiter.check("key", 1);
        Decision decision = limiter.check("key", limiter.limits().get(0).capacity());
        String key =
                new String(((RedisLimiter) limiter).context().keyName("key"), java.nio.charset.StandardCharsets.UTF_8);
        long pttl = Long.parseLong(redis.command("PTTL", key));
        long passed = (System.nanoTime() - before) / 1_000_000 + 1;
        long reset = decision.resetAfterMicros() / 1000;
        // The moment is rounded up to a millisecond, and the present is rounded down.
        assertThat(pttl).isLessThanOrEqualTo(reset + 2).isGreaterThanOrEqualTo(reset - passed);
    }

    @Test
    void keys_afterAnyTrafficAndAnIdleTime_areGone() {
        List<String> limits = List.of(
                "1000 per 100ms",
                "10 per 100ms burst 50 refill interval",
                "leaky-bucket 100 per 100ms",
                "fixed-window 10 per 100ms",
                "fixed-window 10 per 100ms from-first lockout 300ms",
                "sliding-log 10 per 100ms lockout 50ms",
                "sliding-log 5000 per 200ms",
                "sliding-counter 5000 per 200ms slots 200",
                "sliding-counter 10 per 100ms",
                "warm-up 100 per 100ms over 200ms");
        Random random = new Random(1);
        for (String limit : limits) {
            RateLimiter limiter = store.limiter("idle " + limit, Limit.parse(limit));
            for (int i = 0; i < 600; i++) {
                String key = "key" + random.nextInt(5);
                switch (random.nextInt(8)) {
                    case 0 -> limiter.refund(key, 1);
                    case 1 -> limiter.reserve(key, 2, Duration.ofMillis(100)).cancel();
                    case 2 -> limiter.peek(key);
                    case 3 -> limiter.penalize(key, 1);
                    default -> limiter.checkAsync(key, 1 + random.nextInt(3));
                }
            }
            limiter.update(Limit.parse("sliding-log 400 per 150ms"));
            limiter.check("key1", 3);
        }
        Eventually.within(
                Duration.ofSeconds(5),
                "all keys are gone",
                () -> stateKeys("idle").isEmpty());
        store.close();
        Eventually.within(
                Duration.ofSeconds(5),
                "only the configuration is left",
                () -> redis.command("KEYS", "*").equals("sluice:{config}"));
    }

    private List<String> stateKeys(String limiter) {
        return redis.command("KEYS", "sluice:{" + limiter + "*")
                .lines()
                .filter(key -> !key.isEmpty())
                .toList();
    }

    @Test
    void key_thatIsGivenBackEntirely_isDeletedAtOnce() {
        RateLimiter limiter = store.limiter("given back", Limit.parse("sliding-log 5000 per 1h"));
        for (int i = 0; i < 300; i++) {
            limiter.check("key", 1);
        }
        assertThat(stateKeys("given")).as("with its spill").hasSize(2);
        limiter.refund("key", 300);
        assertThat(stateKeys("given")).isEmpty();
    }

    @Test
    void bucket_withAKeyOf20Bytes_takesAtMost160Bytes() {
        RateLimiter limiter = store.limiter("api", Limit.parse("600/min burst 100"));
        limiter.check("12345678901234567890", 1);
        assertThat(Long.parseLong(redis.command("MEMORY", "USAGE", "sluice:{api:12345678901234567890}")))
                .isLessThanOrEqualTo(160);
        limiter.reset("12345678901234567890");
    }
}
