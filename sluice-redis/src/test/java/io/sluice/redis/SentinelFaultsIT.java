package io.sluice.redis;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.Decision;
import io.sluice.Limit;
import io.sluice.OnFailure;
import io.sluice.Permit;
import io.sluice.RateLimiter;
import io.sluice.testkit.Eventually;
import io.sluice.testkit.redis.RedisProcess;
import io.sluice.testkit.redis.RedisSentinel;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Tests faults of a master and its replica under load. */
class SentinelFaultsIT {
    private RedisSentinel sentinel;
    private RedisStore store;

    @BeforeEach
    void start() {
        sentinel = RedisSentinel.start();
        // A sentinel that has not heard of a promotion undoes it after four of these periods: not on a busy machine.
        sentinel.sentinels().forEach(each -> each.command("SENTINEL", "DEBUG", "PUBLISH-PERIOD", "1000"));
        store = RedisStore.connect(sentinel.uri());
    }

    @AfterEach
    void stop() {
        store.close();
        sentinel.close();
    }

    @Test
    void masterIsKilled_recoversOnThePromotedReplica() {
        try (Load load = Load.on(store)) {
            RedisProcess master = sentinel.master();
            master.kill();
            load.awaitDegraded(20);
            RedisProcess promoted = sentinel.awaitOtherMaster(master);
            load.awaitBack(System.nanoTime());
            load.stop();
            assertIsUsed(promoted, load);
        }
    }

    @Test
    void masterIsDemoted_recoversOnThePromotedReplica() {
        try (Load load = Load.on(store)) {
            RedisProcess promoted = sentinel.failover();
            load.awaitBack(System.nanoTime());
            load.stop();
            assertIsUsed(promoted, load);
        }
    }

    @Test
    void masterIsDemoted_permitsStayHeldOnThePromotedReplica() {
        RateLimiter limiter = store.limiter("reports", Limit.parse("concurrency 2 hold 1h"));
        Permit permit = limiter.tryEnter("key").orElseThrow();
        assertThat(permit.decision().degraded()).isFalse();
        sentinel.failover();
        awaitRemaining(limiter, 1);
        assertThat(permit.isHeld()).isTrue();
        permit.close();
        awaitRemaining(limiter, 2);
    }

    private static void awaitRemaining(RateLimiter limiter, long remaining) {
        Eventually.within(
                Duration.ofSeconds(60),
                () -> remaining + " remain: " + limiter.peek("key"),
                () -> isLeft(limiter.peek("key"), remaining));
    }

    private static boolean isLeft(Decision decision, long remaining) {
        return !decision.degraded() && decision.remaining() == remaining;
    }

    private static void assertIsUsed(RedisProcess promoted, Load load) {
        long before = promoted.calls("evalsha");
        load.charged(OnFailure.DENY);
        assertThat(promoted.calls("evalsha")).isGreaterThan(before);
        assertThat(promoted.info("replication")).containsEntry("role", "master");
    }
}
