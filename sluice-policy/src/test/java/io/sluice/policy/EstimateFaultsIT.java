package io.sluice.policy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.ReservationEndedException;
import io.sluice.StoreUnavailableException;
import io.sluice.redis.RedisStore;
import io.sluice.testkit.Eventually;
import io.sluice.testkit.redis.RedisProcess;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;

/** Estimates that are reserved or settled while Redis fails. */
class EstimateFaultsIT {
    private static final Map<String, String> ACME = Map.of("tenant", "acme");

    private static String policies(String onStoreFailure) {
        return "- { name: budget, key: [tenant], limit: fixed-window 1000 per 30d from-first, on-store-failure: "
                + onStoreFailure + " }\n";
    }

    private static RedisStore store(RedisProcess redis, Duration deadline) {
        return RedisStore.builder().uri(redis.uri()).deadline(deadline).build();
    }

    private static PolicyEngine engine(RedisStore store, String onStoreFailure) {
        return PolicyEngine.builder()
                .store(store)
                .policies(EngineTests.policies(policies(onStoreFailure)))
                .build();
    }

    private static void awaitLeft(PolicyEngine engine, long permits) {
        Eventually.await(permits + " are left", () -> {
            PolicyDecision decision = engine.check(ACME, 0);
            return !decision.degraded() && decision.results().get(0).decision().remaining() == permits;
        });
    }

    /** Redis writes every change to its disk before it answers. So a settle that was answered is there after the restart. */
    @Test
    void redisIsKilled_whileItSettles_itIsDoneExactlyOnce() {
        try (RedisProcess redis = RedisProcess.start("--appendonly", "yes", "--appendfsync", "always");
                RedisStore oneStore = store(redis, Duration.ofSeconds(5));
                RedisStore twoStore = store(redis, Duration.ofSeconds(5));
                PolicyEngine one = engine(oneStore, "deny");
                PolicyEngine two = engine(twoStore, "deny")) {
            long left = 1000;
            for (int i = 0; i < 8; i++) {
                awaitLeft(one, left);
                String text = one.reserve(ACME, 60, Duration.ofHours(1)).text().orElseThrow();
                CompletableFuture<PolicyDecision> settling =
                        one.settleAsync(text, 25).toCompletableFuture();
                LockSupport.parkNanos(i * 150_000L);
                redis.kill();
                boolean done = isSettled(settling);
                redis.restart();
                Eventually.await("Redis decides", () -> !two.check(ACME, 0).degraded());
                if (done) {
                    assertThatThrownBy(() -> two.settle(text, 25)).isInstanceOf(ReservationEndedException.class);
                } else {
                    settleAfterAll(two, text);
                }
                left -= 25;
                awaitLeft(two, left);
            }
        }
    }

    private static boolean isSettled(CompletableFuture<PolicyDecision> settling) {
        try {
            return settling.join() != null;
        } catch (CompletionException e) {
            assertThat(e).hasCauseInstanceOf(StoreUnavailableException.class);
            return false;
        }
    }

    /** It may have been executed without an answer. */
    private static void settleAfterAll(PolicyEngine engine, String text) {
        try {
            engine.settle(text, 25);
        } catch (ReservationEndedException executed) {
            assertThatThrownBy(() -> engine.settle(text, 25)).isInstanceOf(ReservationEndedException.class);
        }
    }

    @Test
    void redisDoesNotAnswer_local_theEstimateStands() {
        try (RedisProcess redis = RedisProcess.start();
                RedisStore store = store(redis, Duration.ofMillis(300));
                PolicyEngine engine = engine(store, "local")) {
            awaitLeft(engine, 1000);
            String before =
                    engine.reserve(ACME, 100, Duration.ofHours(1)).text().orElseThrow();
            awaitLeft(engine, 900);
            redis.pause();
            PolicyReservation local = engine.reserve(ACME, 30, Duration.ofHours(1));
            assertThat(local.allowed()).isTrue();
            assertThat(local.decision().degraded()).isTrue();
            assertThatThrownBy(() -> engine.settle(before, 10)).isInstanceOf(StoreUnavailableException.class);
            redis.resume();
            awaitLeft(engine, 870);
            local.text()
                    .ifPresent(text -> assertThatThrownBy(() -> engine.settle(text, 10))
                            .isInstanceOf(ReservationEndedException.class));
            engine.settle(before, 10);
            awaitLeft(engine, 960);
        }
    }

    @Test
    void redisDoesNotAnswer_deny_nothingIsCharged() {
        try (RedisProcess redis = RedisProcess.start();
                RedisStore store = store(redis, Duration.ofMillis(300));
                PolicyEngine engine = engine(store, "deny")) {
            awaitLeft(engine, 1000);
            redis.pause();
            PolicyReservation denied = engine.reserve(ACME, 30);
            assertThat(denied.allowed()).isFalse();
            assertThat(denied.text()).isEmpty();
            redis.resume();
            awaitLeft(engine, 1000);
        }
    }

    @Test
    void redisHasLostItsData_theReservationHasEnded() {
        try (RedisProcess redis = RedisProcess.start();
                RedisStore store = store(redis, Duration.ofSeconds(5));
                PolicyEngine engine = engine(store, "deny")) {
            awaitLeft(engine, 1000);
            PolicyReservation reserved = engine.reserve(ACME, 30);
            redis.command("FLUSHALL");
            awaitLeft(engine, 1000);
            assertThatThrownBy(() -> reserved.settle(500)).isInstanceOf(ReservationEndedException.class);
            awaitLeft(engine, 1000);
        }
    }
}
