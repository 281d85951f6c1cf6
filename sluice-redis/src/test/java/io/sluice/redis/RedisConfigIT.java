package io.sluice.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.Limit;
import io.sluice.LimiterOptions;
import io.sluice.OnFailure;
import io.sluice.RateLimiter;
import io.sluice.StoreListener;
import io.sluice.testkit.Eventually;
import io.sluice.testkit.redis.RedisProcess;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Tests that all processes follow the limits that one process changes. Each store stands for a process. */
class RedisConfigIT {
    private static final Duration A_SECOND = Duration.ofSeconds(1);
    private static RedisProcess redis;

    private final String prefix = TestRedis.newPrefix();
    private final List<RedisStore> stores = new ArrayList<>();
    private final List<String> differing = Collections.synchronizedList(new ArrayList<>());

    @BeforeAll
    static void start() {
        redis = RedisProcess.start();
    }

    @AfterAll
    static void stop() {
        redis.close();
    }

    @AfterEach
    void close() {
        stores.forEach(RedisStore::close);
    }

    private RedisStore newProcess() {
        RedisStore store = RedisStore.builder()
                .uri(redis.uri())
                .prefix(prefix)
                .deadline(Duration.ofSeconds(10))
                .listener(new StoreListener() {
                    @Override
                    public void limitsDiffer(String limiter, List<Limit> brought, List<Limit> inForce) {
                        differing.add(limiter + ": " + brought + " -> " + inForce);
                    }
                })
                .build();
        stores.add(store);
        return store;
    }

    @Test
    void update_byOneProcess_isInForceEverywhereWithinASecondAndKeepsUse() {
        RateLimiter one = newProcess().limiter("api", Limit.parse("100/d"));
        RateLimiter two = newProcess().limiter("api", Limit.parse("100/d"));
        two.check("key", 80);
        one.update(Limit.parse("90/d"));
        assertThat(one.peek("key").remaining()).isEqualTo(10);
        Eventually.within(A_SECOND, "the other follows", () -> two.limits().equals(List.of(Limit.parse("90/d"))));
        assertThat(two.peek("key").remaining()).isEqualTo(10);
        assertThat(two.check("key", 11).allowed()).isFalse();
    }

    @Test
    void update_keyAlreadyConverted_isFollowedAtOnce() {
        RateLimiter one = newProcess().limiter("api", Limit.parse("100/d"));
        RateLimiter two = newProcess().limiter("api", Limit.parse("100/d"));
        one.check("key", 50);
        one.update(Limit.parse("sliding-log 60/d"));
        one.check("key", 5);
        assertThat(two.check("key", 6).allowed()).as("55 of 60 are used").isFalse();
        assertThat(two.limits()).containsExactly(Limit.parse("sliding-log 60/d"));
    }

    @Test
    void process_thatStartsWithAnOldLimit_followsTheOneInForce() {
        newProcess().limiter("api", Limit.parse("100/d")).update(Limit.parse("50/d"));
        RateLimiter old = newProcess().limiter("api", Limit.parse("100/d"));
        assertThat(old.limits()).containsExactly(Limit.parse("50/d"));
        assertThat(old.check("key", 51).never()).isTrue();
        assertThat(differing).contains("api: [token-bucket 100/d] -> [token-bucket 50/d]");
    }

    @Test
    void process_withAHigherRevision_replacesTheLimitAndKeepsUse() {
        LimiterOptions first = LimiterOptions.onFailure(OnFailure.ALLOW).revision(1);
        RateLimiter old = newProcess().limiter("api", first, Limit.parse("100/d"));
        old.check("key", 30);
        RateLimiter newer = newProcess().limiter("api", first.revision(2), Limit.parse("200/d"));
        assertThat(newer.peek("key").remaining()).isEqualTo(170);
        Eventually.within(
                A_SECOND, "the old process follows", () -> old.limits().equals(List.of(Limit.parse("200/d"))));
        RateLimiter again = newProcess().limiter("api", first, Limit.parse("100/d"));
        assertThat(again.limits()).as("an old process that restarts").containsExactly(Limit.parse("200/d"));
    }

    @Test
    void updates_manyFromTwoProcesses_endTheSameEverywhere() {
        RateLimiter one = newProcess().limiter("api", Limit.parse("1000/d"));
        RateLimiter two = newProcess().limiter("api", Limit.parse("1000/d"));
        one.check("key", 500);
        List<CompletableFuture<Void>> updates = new ArrayList<>();
        for (int i = 1; i <= 100; i++) {
            updates.add(one.updateAsync(Limit.parse(1000 + i + "/d")).toCompletableFuture());
            two.update(Limit.parse("fixed-window " + (2000 + i) + "/d from-first"));
        }
        updates.forEach(CompletableFuture::join);
        RateLimiter third = newProcess().limiter("api", Limit.parse("1000/d"));
        Eventually.within(
                A_SECOND,
                "all agree",
                () -> one.limits().equals(two.limits()) && two.limits().equals(third.limits()));
        long used = one.limits().get(0).capacity() - one.peek("key").remaining();
        assertThat(used).isEqualTo(500);
    }

    @Test
    void key_ofAForgottenVersion_keepsItsUse() {
        RateLimiter one = newProcess().limiter("api", Limit.parse("1000/d"));
        one.check("key", 500);
        for (int i = 1; i <= 70; i++) {
            one.update(Limit.parse(1000 + i + "/d"));
        }
        assertThat(one.peek("key").remaining()).isEqualTo(570);
    }

    @Test
    void configuration_thatIsLost_isWrittenAgain() {
        RateLimiter one = newProcess().limiter("api", Limit.parse("100/d"));
        RateLimiter two = newProcess().limiter("api", Limit.parse("100/d"));
        one.update(Limit.parse("70/d"));
        Eventually.within(A_SECOND, "the other follows", () -> two.limits().equals(List.of(Limit.parse("70/d"))));
        redis.command("FLUSHALL");
        Eventually.within(
                Duration.ofSeconds(2),
                "the configuration is there again",
                () -> redis.command("HGET", prefix + ":{config}", ":api").contains("70/d"));
        assertThat(newProcess().limiter("api", Limit.parse("100/d")).limits()).containsExactly(Limit.parse("70/d"));
    }

    @Test
    void processes_areCounted() {
        RedisStore one = newProcess();
        RedisStore two = newProcess();
        Eventually.within(Duration.ofSeconds(2), "two", () -> one.processes() == 2 && two.processes() == 2);
        two.close();
        Eventually.within(Duration.ofSeconds(2), "one is left", () -> one.processes() == 1);
    }

    @Test
    void update_withoutRedis_throws() {
        try (RedisProcess other = RedisProcess.start();
                RedisStore store = RedisStore.connect(other.uri())) {
            RateLimiter limiter = store.limiter("api", Limit.parse("100/d"));
            other.kill();
            assertThatThrownBy(() -> limiter.update(Limit.parse("70/d")))
                    .isInstanceOf(RedisUnavailableException.class)
                    .hasMessageContaining("limiter \"api\": update");
            assertThat(limiter.limits()).containsExactly(Limit.parse("100/d"));
        }
    }
}
