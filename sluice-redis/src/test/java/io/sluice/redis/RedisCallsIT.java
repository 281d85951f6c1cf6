package io.sluice.redis;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.CallLimiter;
import io.sluice.Decision;
import io.sluice.Limit;
import io.sluice.LimiterOptions;
import io.sluice.OnFailure;
import io.sluice.RateLimiter;
import io.sluice.StoreListener;
import io.sluice.redis.call.LimiterContext;
import io.sluice.redis.script.KeyNames;
import io.sluice.testkit.Eventually;
import io.sluice.testkit.ManualTime;
import io.sluice.testkit.redis.RedisProcess;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests limits that come with calls. */
class RedisCallsIT {
    private static final int LIMITS = 20_000;

    private final AtomicLong remembered = new AtomicLong();
    private RedisProcess redis;
    private RedisStore store;
    private CallLimiter calls;

    @BeforeEach
    void start() {
        redis = RedisProcess.start();
        store = RedisStore.builder()
                .uri(redis.uri())
                .prefix("p")
                .deadline(Duration.ofSeconds(30))
                .listener(new StoreListener() {
                    @Override
                    public void denialRemembered(String limiter) {
                        remembered.incrementAndGet();
                    }
                })
                .build();
        calls = store.callLimiter("calls");
    }

    @AfterEach
    void stop() {
        store.close();
        redis.close();
    }

    private String keyName(String key) {
        LimiterContext context = ((RedisCallLimiter) calls).context;
        return new String(context.keyName(KeyNames.shortened(key)), StandardCharsets.UTF_8);
    }

    @Test
    void twentyThousandLimits_leaveNoConfiguration_andKeysThatExpire() {
        RateLimiter limiter = store.limiter("limiter", Limit.parse("10/s"));
        limiter.check("k", 1);
        String configured = redis.command("HLEN", "p:{config}");
        List<CompletableFuture<Decision>> asked = new ArrayList<>();
        for (int i = 1; i <= LIMITS; i++) {
            Limit limit = Limit.tokenBucket(i, Duration.ofSeconds(1));
            asked.add(calls.checkAsync("key" + i, 1, limit).toCompletableFuture());
        }
        for (int i = 0; i < LIMITS; i++) {
            assertThat(asked.get(i).join()).isEqualTo(Decision.allowed(i, 0, (1_000_000 + i) / (i + 1)));
        }
        assertThat(redis.command("HLEN", "p:{config}")).isEqualTo(configured);
        Eventually.within(
                Duration.ofSeconds(10),
                () -> "keys: " + redis.command("KEYS", "p:{:*"),
                () -> redis.command("KEYS", "p:{:*").isEmpty());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "10 per 7s",
                "10 per 7s refill interval",
                "leaky-bucket 10 per 7s",
                "fixed-window 10 per 7s from-first",
                "sliding-log 1000 per 7s",
                "sliding-log 10 per 7s lockout 3h",
                "5 per 31d"
            })
    void key_afterAnotherLimit_livesAsLongAsItsState(String text) {
        Limit limit = Limit.parse(text);
        calls.check("key", 1, Limit.parse("leaky-bucket 10 per 1h"));
        long before = System.nanoTime();
        calls.check("key", 1, limit);
        Decision decision = calls.check("key", limit.capacity(), limit);
        long pttl = Long.parseLong(redis.command("PTTL", keyName("key")));
        long passed = (System.nanoTime() - before) / 1_000_000 + 1;
        long reset = decision.resetAfterMicros() / 1000;
        assertThat(pttl).isLessThanOrEqualTo(reset + 2).isGreaterThanOrEqualTo(reset - passed);
    }

    @Test
    void key_long_isADigest() {
        calls.check("k".repeat(60_000), 1, Limit.parse("10/h"));
        calls.check("\ud800".repeat(60), 1, Limit.parse("10/h"));
        assertThat(redis.command("KEYS", "p:{:*").lines()).hasSize(2).allMatch(name -> name.length() < 260);
    }

    @Test
    void callLimitersAndLimiters_neverShareKeys() {
        store.limiter("", Limit.parse("10/h")).check("calls:k", 1);
        store.limiter(":calls", Limit.parse("10/h")).check("k", 1);
        assertThat(calls.check("k", 1, Limit.parse("10/h")).remaining()).isEqualTo(9);
    }

    /** Concurrent calls are batched, and still decided in order. */
    @Test
    void calls_mergedWithChangingLimits_areDecidedInOrder() {
        ManualTime time = new ManualTime();
        CallLimiter merged = TestRedis.store(time).callLimiter("calls");
        Limit[] limits = {
            Limit.parse("60 per 1h"),
            Limit.parse("fixed-window 100 per 1d"),
            Limit.parse("sliding-log 300 per 1h"),
            Limit.blocked(),
            Limit.parse("60 per 1h")
        };
        List<CompletableFuture<Decision>> asked = new ArrayList<>();
        List<Boolean> expected = new ArrayList<>();
        long used = 0;
        for (int i = 0; i < 2000; i++) {
            Limit limit = limits[i / 3 % limits.length];
            asked.add(merged.checkAsync("k", 1, limit).toCompletableFuture());
            boolean allowed = limit.capacity() > used;
            used += allowed ? 1 : 0;
            expected.add(allowed);
            if (i == 1000) {
                var unused = merged.refundAsync("k", 40);
                used -= 40;
            }
        }
        assertThat(asked.stream().map(call -> call.join().allowed()).toList()).isEqualTo(expected);
    }

    /** A log with a spill key, followed by limits that need no spill, one of them for quick.lua. */
    @Test
    void longLog_underOtherLimits_keepsAllUse() {
        ManualTime time = ManualTime.forwardOnly(ManualTime.START_MICROS);
        CallLimiter virtual = TestRedis.store(time).callLimiter("calls");
        Limit log = Limit.parse("sliding-log 3000 per 1h");
        for (int i = 0; i < 400; i++) {
            time.advanceMicros(1);
            virtual.check("k", 1, log);
        }
        assertThat(virtual.check("k", 0, Limit.parse("1000 per 1h")).remaining())
                .isEqualTo(600);
        assertThat(virtual.check("k", 601, Limit.parse("1000 per 1h")).allowed())
                .isFalse();
        time.advance(Duration.ofHours(1).minusNanos(200_000));
        assertThat(virtual.check("k", 0, log).remaining())
                .as("a denial has not changed it")
                .isEqualTo(2800);
        assertThat(virtual.check("k", 1, Limit.parse("1000 per 1h")).remaining())
                .isEqualTo(799);
        assertThat(virtual.check("k", 1, log).remaining()).isEqualTo(2798);
        time.advance(Duration.ofHours(1));
        assertThat(virtual.check("k", 0, log).remaining()).isEqualTo(3000);
    }

    @Test
    void denial_isRememberedForItsOwnLimitOnly() {
        Limit small = Limit.parse("10/h");
        Limit large = Limit.parse("20/h");
        calls.check("k", 10, small);
        assertThat(calls.check("k", 1, small).allowed()).isFalse();
        assertThat(calls.check("k", 1, Limit.parse("10 per 1h")).allowed()).isFalse();
        assertThat(remembered).hasValue(1);
        assertThat(calls.check("k", 1, large).allowed()).isTrue();
        assertThat(calls.check("k", 1, small).allowed()).as("asked anew").isFalse();
        assertThat(remembered).hasValue(1);
    }

    @Test
    void withoutRedis_answersByTheOptions() {
        Limit limit = Limit.parse("10 per 1d");
        Limit other = Limit.parse("20 per 1d");
        CallLimiter denying = store.callLimiter("denying", LimiterOptions.onFailure(OnFailure.DENY));
        CallLimiter local = store.callLimiter("local", LimiterOptions.onFailure(OnFailure.LOCAL));
        local.check("k", 1, limit);
        redis.kill();
        assertThat(calls.check("k", 100, limit))
                .isEqualTo(Decision.allowed(0, 0, 0).asDegraded());
        assertThat(denying.check("k", 1, limit).allowed()).isFalse();
        assertThat(local.check("k", 7, limit).allowed()).isTrue();
        assertThat(local.check("k", 1, other).remaining())
                .as("what was used stays used")
                .isEqualTo(12);
        assertThat(local.check("k", 3, limit).allowed()).isFalse();
        assertThat(local.peek("k", 2, limit).allowed()).isTrue();
        assertThat(store.decide(List.of(local.charge("k", 3, limit), calls.charge("k", 1, limit)))
                        .allowed())
                .isFalse();
        assertThat(store.decide(List.of(local.charge("k", 2, limit), calls.charge("k", 1, limit)))
                        .allowed())
                .isTrue();
    }
}
