package io.sluice.redis;

import static io.sluice.OnFailure.ALLOW;
import static io.sluice.OnFailure.DENY;
import static io.sluice.OnFailure.LOCAL;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.Limit;
import io.sluice.OnFailure;
import io.sluice.RateLimiter;
import io.sluice.StoreListener;
import io.sluice.testkit.Eventually;
import io.sluice.testkit.redis.RedisProcess;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Tests faults of a single Redis under load. */
class SingleFaultsIT {
    private static final Duration LONG = Duration.ofSeconds(10);

    private final Map<String, AtomicLong> lost = new ConcurrentHashMap<>();
    private RedisProcess redis;
    private RedisStore store;

    @BeforeEach
    void start() {
        redis = RedisProcess.start();
        store = store(Duration.ofMillis(100));
    }

    @AfterEach
    void stop() {
        store.close();
        redis.close();
    }

    private RedisStore store(Duration deadline) {
        return RedisStore.builder()
                .uri(redis.uri())
                .deadline(deadline)
                .listener(new StoreListener() {
                    @Override
                    public void lost(String limiter, String verb) {
                        lost.computeIfAbsent(limiter + " " + verb, unused -> new AtomicLong())
                                .incrementAndGet();
                    }
                })
                .build();
    }

    private long lost(OnFailure how, String verb) {
        return lost.getOrDefault(Load.name(how) + " " + verb, new AtomicLong()).get();
    }

    @Test
    void isAvailable_killedAndBack_isTrueAgainWithoutCalls() {
        assertAvailableAgain(redis::kill, redis::restart);
    }

    @Test
    void isAvailable_stoppedAndBack_isTrueAgainWithoutCalls() {
        assertAvailableAgain(redis::pause, redis::resume);
    }

    private void assertAvailableAgain(Runnable away, Runnable back) {
        RateLimiter limiter = store.limiter("limiter", Limit.parse("10/s"));
        Eventually.within(LONG, "there", store::isAvailable);
        away.run();
        assertThat(limiter.check("key", 1).degraded()).isTrue();
        assertThat(store.isAvailable()).isFalse();
        back.run();
        Eventually.within(LONG, "back", store::isAvailable);
    }

    @Test
    void killed_callsAreAnsweredWithoutRedisUntilItIsBack() {
        try (Load load = Load.on(store)) {
            redis.kill();
            load.awaitDegraded(50);
            assertThat(store.isAvailable()).isFalse();
            redis.restart();
            load.awaitBack(System.nanoTime());
            load.stop();
        }
    }

    @Test
    void killedAndRestartedAtOnce_recovers() {
        try (Load load = Load.on(store)) {
            redis.restart();
            load.awaitBack(System.nanoTime());
            load.stop();
        }
    }

    @Test
    void stopped_callsThatTimedOutAreNotCharged() {
        try (Load load = Load.on(store)) {
            long begin = System.nanoTime();
            redis.pause();
            load.awaitDegraded(50);
            LockSupport.parkNanos(begin + Duration.ofSeconds(5).toNanos() - System.nanoTime());
            redis.resume();
            load.awaitBack(System.nanoTime());
            load.stop();

            awaitCharged(load, DENY, 0);
            // Calls that were on their way when Redis stopped were allowed without an answer. Redis may have charged
            // them.
            awaitCharged(load, ALLOW, Load.CALLERS);
            awaitCharged(load, LOCAL, Load.CALLERS);
            assertThat(load.charged(DENY, "reserved")).isBetween(0L, lost(DENY, "cancel"));
            assertThat(load.charged(DENY, "refunded")).isBetween(0L, lost(DENY, "refund"));
        }
    }

    /** Refunds and charges of local use happen after the caller has its answer. */
    private void awaitCharged(Load load, OnFailure how, long more) {
        long most = load.admitted(how) + more;
        // It is unknown whether Redis has executed a charge that was on its way when the connection broke.
        long least = lost(how, "penalize") == 0
                ? load.admitted(how)
                : load.told(how).admitted.get();
        Eventually.within(
                Duration.ofSeconds(2),
                () -> how + ": charged " + load.charged(how) + ", not " + least + " to " + most + "; " + load,
                () -> load.charged(how) >= least && load.charged(how) <= most);
    }

    @Test
    void scriptFlush_isNotNoticed() {
        try (RedisStore patient = store(LONG);
                Load load = Load.on(patient)) {
            for (int i = 0; i < 10; i++) {
                redis.command("SCRIPT", "FLUSH");
                load.awaitBack(System.nanoTime());
            }
            load.stop();
            for (OnFailure how : OnFailure.values()) {
                assertThat(load.told(how).degraded).hasValue(0);
                assertThat(load.charged(how)).isEqualTo(load.told(how).admitted.get());
                assertThat(load.charged(how, "reserved")).isZero();
                assertThat(load.charged(how, "refunded")).isZero();
            }
        }
    }

    @Test
    void flushAll_limitsAreWrittenAgain() {
        Limit before = Limit.parse("5/d");
        Limit updated = Limit.parse("3/d");
        try (RedisStore other = store(LONG);
                Load load = Load.on(store)) {
            RateLimiter limiter = other.limiter("updated", before);
            limiter.update(updated);

            redis.command("FLUSHALL");
            long flushed = System.nanoTime();
            load.awaitBack(flushed);
            Eventually.within(
                    Duration.ofSeconds(2),
                    () -> "the limits are known again: " + redis.command("HGETALL", "sluice:{config}"),
                    () -> redis.command("HGET", "sluice:{config}", ":updated").contains(updated.toString()));
            try (RedisStore third = store(LONG)) {
                RateLimiter same = third.limiter("updated", before);
                assertThat(same.limits()).containsExactly(updated);
                assertThat(same.check("key", 1).remaining()).isEqualTo(2);
                assertThat(limiter.check("key", 1).remaining()).isEqualTo(1);
            }
            load.stop();
        }
    }

    @Test
    void clientKill_chargesAtMostTheCallsOnTheirWay() {
        int kills = 3;
        try (Load load = Load.on(store)) {
            for (int i = 0; i < kills; i++) {
                redis.command("CLIENT", "KILL", "TYPE", "normal");
                load.awaitBack(System.nanoTime());
            }
            load.stop();
            for (OnFailure how : OnFailure.values()) {
                awaitCharged(load, how, (long) kills * Load.CALLERS);
            }
        }
    }

    /** Of what Redis has, in a way that works when there is no memory left. */
    private String digest(String key) {
        return redis.command("EVAL", "return redis.sha1hex(redis.call('GET', KEYS[1]))", "1", key);
    }

    @Test
    void outOfMemory_degradesAndChargesNothing() {
        try (Load load = Load.on(store)) {
            redis.command("CONFIG", "SET", "maxmemory-policy", "noeviction");
            redis.command("CONFIG", "SET", "maxmemory", "1");
            load.awaitDegraded(50);
            String full = digest("sluice:{deny:counted}");
            load.awaitDegraded(50);
            assertThat(digest("sluice:{deny:counted}")).isEqualTo(full);
            redis.command("CONFIG", "SET", "maxmemory", "0");
            load.awaitBack(System.nanoTime());
            load.stop();
            for (OnFailure how : OnFailure.values()) {
                awaitCharged(load, how, 0);
            }
            assertThat(load.charged(DENY, "reserved")).isBetween(0L, lost(DENY, "cancel"));
            assertThat(load.charged(DENY, "refunded")).isBetween(0L, lost(DENY, "refund"));
        }
    }
}
