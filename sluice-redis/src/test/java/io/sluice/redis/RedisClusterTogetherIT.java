package io.sluice.redis;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.Charge;
import io.sluice.Limit;
import io.sluice.RateLimiter;
import io.sluice.testkit.Eventually;
import io.sluice.testkit.redis.RedisCluster;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Tests concurrent charges on several slots of a cluster: all or nothing, and no permits are lost. */
class RedisClusterTogetherIT {
    private static RedisCluster cluster;
    private static RedisStore store;

    @BeforeAll
    static void start() {
        cluster = RedisCluster.start(3, 0);
        store = RedisStore.builder()
                .uri(cluster.uris().get(0))
                .deadline(Duration.ofSeconds(10))
                .build();
    }

    @AfterAll
    static void stop() {
        store.close();
        cluster.close();
    }

    @Test
    void manyCallers_onThreeLimits_getThePermitsOfTheSmallest() throws InterruptedException {
        RateLimiter all = store.limiter("all", Limit.parse("fixed-window 5000 per 1d from-first"));
        RateLimiter tenant = store.limiter("tenant", Limit.parse("1000 per 365d burst 1000"));
        RateLimiter user = store.limiter("user", Limit.parse("sliding-log 300/d lockout 1d"));
        AtomicLong admitted = new AtomicLong();
        Thread[] threads = new Thread[8];
        for (int i = 0; i < threads.length; i++) {
            threads[i] = new Thread(() -> {
                for (int n = 0; n < 30; n++) {
                    admitted.addAndGet(decide(all, tenant, user) ? 1 : 0);
                }
            });
            threads[i].start();
        }
        for (Thread thread : threads) {
            thread.join();
        }
        assertThat(user.peek("u", 1).retryAfter())
                .as("what was only held for others has locked nobody out: 240 were asked for, of 300")
                .isZero();
        while (decide(all, tenant, user)) {
            admitted.incrementAndGet();
        }
        assertThat(admitted.get()).isEqualTo(300);
        assertThat(all.peek("").remaining()).isEqualTo(5000 - 300);
        assertThat(tenant.peek("t").remaining()).isEqualTo(1000 - 300);
        assertThat(user.peek("u", 1).retryAfter())
                .as("the limit that denied starts its lockout")
                .isGreaterThan(Duration.ofHours(23));
    }

    private static boolean decide(RateLimiter all, RateLimiter tenant, RateLimiter user) {
        return store.decide(List.of(all.charge("", 1), tenant.charge("t", 1), user.charge("u", 1)))
                .allowed();
    }

    @Test
    void manyCallers_whenOneLimitDenies_othersGiveBackTheirPermits() throws InterruptedException {
        RateLimiter one = store.limiter("one", Limit.parse("fixed-window 1000 per 1d from-first"));
        RateLimiter scarce = store.limiter("scarce", Limit.parse("fixed-window 100 per 1d from-first"));
        AtomicLong admitted = new AtomicLong();
        Thread[] threads = new Thread[8];
        for (int i = 0; i < threads.length; i++) {
            threads[i] = new Thread(() -> {
                for (int n = 0; n < 60; n++) {
                    boolean allowed = store.decide(List.of(one.charge("k", 2), scarce.charge("k", 1)))
                            .allowed();
                    admitted.addAndGet(allowed ? 1 : 0);
                }
            });
            threads[i].start();
        }
        for (Thread thread : threads) {
            thread.join();
        }
        Eventually.within(
                Duration.ofSeconds(5),
                () -> "given back: " + one.peek("k").remaining() + " after " + admitted.get(),
                () -> one.peek("k").remaining() == 1000 - 2 * admitted.get()
                        && scarce.peek("k").remaining() == 100 - admitted.get());
        assertThat(admitted.get()).isBetween(90L, 100L);
    }

    @Test
    void manyHolders_onThreeLimits_neverHoldMoreThanTheSmallest_andGiveAllBack() throws InterruptedException {
        List<RateLimiter> limiters = List.of(
                store.limiter("wide", Limit.parse("concurrency 20")),
                store.limiter("middle", Limit.parse("concurrency 10")),
                store.limiter("narrow", Limit.parse("concurrency 3")));
        List<Charge> charges =
                limiters.stream().map(limiter -> limiter.charge("k")).toList();
        AtomicLong inside = new AtomicLong();
        AtomicLong entered = new AtomicLong();
        AtomicLong most = new AtomicLong();
        Thread[] threads = new Thread[8];
        for (int i = 0; i < threads.length; i++) {
            threads[i] = new Thread(() -> {
                for (int n = 0; n < 60; n++) {
                    String holds = store.enterAsync(charges)
                            .toCompletableFuture()
                            .join()
                            .holds();
                    if (holds != null) {
                        entered.incrementAndGet();
                        most.accumulateAndGet(inside.incrementAndGet(), Math::max);
                        if (n % 2 == 0) {
                            store.renewAsync(holds).toCompletableFuture().join();
                        }
                        inside.decrementAndGet();
                        store.releaseAsync(holds).toCompletableFuture().join();
                    }
                }
            });
            threads[i].start();
        }
        for (Thread thread : threads) {
            thread.join();
        }
        assertThat(most.get()).isBetween(1L, 3L);
        assertThat(entered.get()).isGreaterThan(50);
        for (RateLimiter limiter : limiters) {
            Eventually.within(
                    Duration.ofSeconds(5),
                    () -> "given back: " + limiter.peek("k"),
                    () -> limiter.peek("k").remaining()
                            == limiter.limits().get(0).capacity());
        }
    }
}
