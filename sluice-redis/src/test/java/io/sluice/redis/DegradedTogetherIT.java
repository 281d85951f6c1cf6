package io.sluice.redis;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.Decision;
import io.sluice.Limit;
import io.sluice.LimiterOptions;
import io.sluice.OnFailure;
import io.sluice.RateLimiter;
import io.sluice.StoreListener;
import io.sluice.spi.PolicyCharge;
import io.sluice.testkit.redis.RedisProcess;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Tests joint decisions while Redis is away. */
class DegradedTogetherIT {
    private final RedisProcess redis = RedisProcess.start();
    private final Queue<String> heard = new ConcurrentLinkedQueue<>();
    private final RedisStore store = RedisStore.builder()
            .uri(redis.uri())
            .listener(new StoreListener() {
                @Override
                public void degraded(String limiter, OnFailure how) {
                    heard.add(limiter + " " + how);
                }
            })
            .build();
    private final RateLimiter local = limiter("local", OnFailure.LOCAL);
    private final RateLimiter deny = limiter("deny", OnFailure.DENY);

    private RateLimiter limiter(String name, OnFailure how) {
        return store.limiter(name, LimiterOptions.onFailure(how), Limit.parse("100/d"));
    }

    @BeforeEach
    void redisGoes() {
        redis.kill();
    }

    @AfterEach
    void close() {
        store.close();
        redis.close();
    }

    @Test
    void local_whenAnotherLimiterDenies_takesNothingAndReportsWithoutKeptPermits() {
        List<Decision> each = store.decide(
                        List.of(PolicyCharge.of(local.charge("k", 90)).keeping(20), deny.charge("k", 1)))
                .each();
        assertThat(each.get(0).allowed()).isFalse();
        assertThat(each.get(0).remaining()).isEqualTo(80);
        assertThat(each).allMatch(Decision::degraded);
        assertThat(heard).containsExactlyInAnyOrder("local LOCAL", "deny DENY");
        assertThat(store.decide(List.of(PolicyCharge.of(local.charge("k", 80)).keeping(20)))
                        .allowed())
                .as("nothing was taken")
                .isTrue();
    }

    @Test
    void local_hugeRequest_isNever() {
        assertThat(store.decide(List.of(PolicyCharge.of(local.charge("k", Long.MAX_VALUE))
                                .keeping(20)))
                        .each()
                        .get(0)
                        .never())
                .isTrue();
    }

    @Test
    void shadow_thatDeniesWithoutRedis_doesNotDenyTheRequest() {
        assertThat(store.decide(List.of(
                                local.charge("k", 1),
                                PolicyCharge.of(deny.charge("k", 1)).inShadow()))
                        .allowed())
                .isTrue();
    }
}
