package io.sluice.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.Charge;
import io.sluice.Decision;
import io.sluice.Limit;
import io.sluice.LimiterOptions;
import io.sluice.OnFailure;
import io.sluice.RateLimiter;
import io.sluice.StoreListener;
import io.sluice.testkit.redis.RedisProcess;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Tests unexpected keys: evicted, lost, or written by another release. */
class RedisOddKeysIT {
    private RedisProcess redis;
    private RedisStore store;

    @BeforeEach
    void start() {
        redis = RedisProcess.start();
        store = newProcess();
    }

    private RedisStore newProcess() {
        return RedisStore.builder()
                .uri(redis.uri())
                .deadline(Duration.ofSeconds(10))
                .build();
    }

    @AfterEach
    void stop() {
        store.close();
        redis.close();
    }

    @Test
    void spill_thatWasEvicted_staysUsed() {
        RateLimiter limiter = store.limiter("log", Limit.parse("sliding-log 1000 per 1h"));
        for (int i = 0; i < 300; i++) {
            limiter.check("key", 2);
        }
        redis.command("DEL", "sluice:{log:key}:1");
        Decision decision = limiter.check("key", 1);
        assertThat(decision.degraded()).isFalse();
        assertThat(decision.remaining()).isEqualTo(399);
    }

    @Test
    void key_ofAnotherAlgorithm_keepsItsUse() {
        store.limiter("api", Limit.parse("sliding-log 10/h")).check("key", 4);
        store.close();
        redis.command("DEL", "sluice:{config}");
        store = newProcess();
        Decision decision = store.limiter("api", Limit.parse("20/h")).check("key", 1);
        assertThat(decision.degraded()).isFalse();
        assertThat(decision.remaining()).isEqualTo(15);
    }

    @Test
    void key_ofALostVersion_keepsItsUse() {
        RateLimiter before = store.limiter("api", Limit.parse("10/h"));
        before.update(Limit.parse("11/h"));
        before.update(Limit.parse("12/h"));
        before.check("key", 4);
        store.close();
        redis.command("DEL", "sluice:{config}");
        store = newProcess();
        RateLimiter after = store.limiter("api", Limit.parse("20/h"));
        Decision decision = after.check("key", 1);
        assertThat(decision.degraded()).isFalse();
        assertThat(decision.remaining()).isEqualTo(15);
        assertThat(after.check("key", 1).remaining()).isEqualTo(14);
    }

    @Test
    void key_ofANewerRelease_doesNotAffectOtherKeys() {
        RateLimiter limiter = store.limiter("api", Limit.parse("10/h"));
        limiter.check("other", 1);
        redis.command("SET", "sluice:{api:key}", "\u0002 what a later release may write");
        for (int round = 0; round < 5; round++) {
            List<CompletableFuture<Decision>> decisions = new ArrayList<>();
            for (String key : List.of("other", "key", "third", "other")) {
                decisions.add(limiter.checkAsync(key, 1).toCompletableFuture());
            }
            assertThat(decisions)
                    .extracting(decision -> decision.join().degraded())
                    .containsExactly(false, true, false, false);
        }
        assertThat(redis.command("GET", "sluice:{api:key}")).contains("later release");
    }

    @Test
    void closedLimiter_thatIsOpenedAgain_countsOnce() {
        RateLimiter closed = store.limiter("api", Limit.parse("fixed-window 1000/d"));
        closed.close();
        RateLimiter again = store.limiter("api", Limit.parse("fixed-window 1000/d"));
        assertThat(store.decide(List.of(closed.charge("key", 600), again.charge("key", 600)))
                        .allowed())
                .isFalse();
    }

    @Test
    void peek_thatIsDenied_doesNotPreventALaterLockout() {
        RateLimiter limiter = store.limiter("login", Limit.parse("sliding-log 2 per 10s lockout 5m"));
        limiter.check("key", 2);
        assertThat(limiter.peek("key", 1).allowed()).isFalse();
        assertThat(limiter.check("key", 1).retryAfter()).isGreaterThan(Duration.ofMinutes(4));
    }

    @Test
    void key_olderThanTheHistory_touchesNoOtherKey() {
        RateLimiter log = store.limiter("log", Limit.parse("sliding-log 1000 per 1h"));
        for (int i = 0; i < 300; i++) {
            log.check("key", 1);
        }
        RateLimiter other = store.limiter("other", Limit.parse("fixed-window 10/d"));
        other.check("key", 10);
        for (int i = 0; i < 66; i++) {
            log.update(Limit.parse(1000 + i + " per 1h"));
        }
        store.decide(List.of(log.charge("key", 1), other.charge("key", 0)));
        assertThat(other.peek("key").remaining()).isZero();
        assertThat(log.peek("key").remaining()).isEqualTo(1065 - 301);
    }

    @Test
    void tooManyCharges_areRefused() {
        RateLimiter limiter = store.limiter("api", Limit.parse("10/h"));
        List<Charge> charges = new ArrayList<>();
        for (int i = 0; i < 1001; i++) {
            charges.add(limiter.charge("key" + i, 1));
        }
        assertThat(store.decide(charges.subList(0, 1000)).allowed()).isTrue();
        assertThatThrownBy(() -> store.decide(charges))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("1001 charges (expected: at most 1000 decided together)");
    }

    @Test
    void manyWaiters_withoutRedis_areAllAnswered() {
        redis.close();
        RateLimiter limiter;
        try (RedisStore away =
                RedisStore.builder().uri(redis.uri()).onFailure(OnFailure.DENY).build()) {
            limiter = away.limiter("api", Limit.parse("fixed-window 10/d"));
            List<CompletableFuture<Boolean>> waiters = new ArrayList<>();
            for (int i = 0; i < 20_000; i++) {
                waiters.add(
                        limiter.tryAcquireAsync("key", 1, Duration.ofSeconds(1)).toCompletableFuture());
            }
            CompletableFuture.allOf(waiters.toArray(CompletableFuture[]::new))
                    .orTimeout(30, java.util.concurrent.TimeUnit.SECONDS)
                    .join();
            assertThat(waiters).allMatch(waiter -> !waiter.join());
        }
        redis = RedisProcess.start();
    }

    @Test
    void listener_whenRedisGoes_hearsDegradedAndLostCalls() {
        List<String> heard = new CopyOnWriteArrayList<>();
        try (RedisStore listened = RedisStore.builder()
                .uri(redis.uri())
                .listener(new StoreListener() {
                    @Override
                    public void called(int requests, long nanos) {
                        heard.add("called");
                    }

                    @Override
                    public void degraded(String limiter, OnFailure how) {
                        heard.add(limiter + " " + how);
                    }

                    @Override
                    public void lost(String limiter, String verb) {
                        heard.add(limiter + " lost " + verb);
                    }
                })
                .build()) {
            RateLimiter limiter =
                    listened.limiter("api", LimiterOptions.onFailure(OnFailure.DENY), Limit.parse("10/h"));
            limiter.check("key", 1);
            assertThat(heard).contains("called").doesNotContain("api DENY");
            redis.kill();
            assertThat(limiter.check("key", 1).degraded()).isTrue();
            limiter.refund("key", 1);
            assertThat(heard).contains("api DENY", "api lost refund");
        }
    }
}
