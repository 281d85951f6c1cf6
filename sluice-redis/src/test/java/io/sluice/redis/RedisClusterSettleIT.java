package io.sluice.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lettuce.core.cluster.SlotHash;
import io.sluice.Limit;
import io.sluice.RateLimiter;
import io.sluice.ReservationEndedException;
import io.sluice.StoreUnavailableException;
import io.sluice.spi.SettledCharge;
import io.sluice.testkit.redis.RedisCluster;
import io.sluice.testkit.redis.RedisProcess;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Two processes settle reservations whose charges are on several slots of a cluster. */
class RedisClusterSettleIT {
    private static final Duration MINUTE = Duration.ofMinutes(1);
    private static final Limit LIMIT = Limit.parse("fixed-window 100 per 1d from-first");

    private static RedisCluster cluster;
    private static RedisStore one;
    private static RedisStore two;
    private static RateLimiter first;
    private static RateLimiter second;

    @BeforeAll
    static void start() {
        cluster = RedisCluster.start(3, 0);
        one = store(MINUTE);
        two = store(MINUTE);
        first = one.limiter("first", LIMIT);
        second = one.limiter("second", LIMIT);
        two.limiter("first", LIMIT);
        two.limiter("second", LIMIT);
    }

    private static RedisStore store(Duration deadline) {
        return RedisStore.builder()
                .uri(cluster.uris().get(0))
                .deadline(deadline)
                .build();
    }

    @AfterAll
    static void stop() {
        one.close();
        two.close();
        cluster.close();
    }

    private static <T> T now(CompletionStage<T> stage) {
        try {
            return stage.toCompletableFuture().join();
        } catch (CompletionException e) {
            throw e.getCause() instanceof RuntimeException cause ? cause : e;
        }
    }

    private static String reserve(String key, long estimate) {
        return Objects.requireNonNull(
                now(one.reserveAsync(List.of(first.charge(key, estimate), second.charge(key, estimate)), MINUTE))
                        .id());
    }

    private static void assertRemaining(String key, long permits) {
        assertThat(first.peek(key).remaining()).as("first, %s", key).isEqualTo(permits);
        assertThat(second.peek(key).remaining()).as("second, %s", key).isEqualTo(permits);
    }

    @Test
    void settle_byBothAtOnceWithTheSameNumber_isDoneByExactlyOne() {
        for (int i = 0; i < 300; i++) {
            String key = "race-" + i;
            String id = reserve(key, 60);
            CompletableFuture<?> here = one.settleAsync(id, 25).toCompletableFuture();
            CompletableFuture<?> there = two.settleAsync(id, 25).toCompletableFuture();
            CompletableFuture.allOf(here, there).exceptionally(e -> null).join();
            assertThat(here.isCompletedExceptionally())
                    .as("%s: one wins, and one is too late", key)
                    .isNotEqualTo(there.isCompletedExceptionally());
            assertRemaining(key, 75);
        }
    }

    @Test
    void settle_whenOneSlotWasAway_isFinishedWithTheFirstNumber() {
        String key = "away";
        RedisProcess other = cluster.masterOf(SlotHash.getSlot("sluice:{second:" + key + "}"));
        assertThat(other).isNotSameAs(cluster.masterOf(SlotHash.getSlot("sluice:{first:" + key + "}")));
        String id = reserve(key, 60);
        try (RedisStore hasty = store(Duration.ofMillis(300))) {
            hasty.limiter("first", LIMIT).peek(key);
            hasty.limiter("second", LIMIT).peek(key);
            other.pause();
            try {
                assertThatThrownBy(() -> now(hasty.settleAsync(id, 130))).isInstanceOf(StoreUnavailableException.class);
            } finally {
                other.resume();
            }
        }
        assertThatThrownBy(() -> now(two.settleAsync(id, 10)))
                .as("another number")
                .isInstanceOf(ReservationEndedException.class);
        assertThat(first.peek(key, 0).debt()).isEqualTo(30);
        assertThat(second.peek(key, 0).debt()).isEqualTo(30);

        List<SettledCharge> again = now(two.settleAsync(id, 130));
        assertThat(again).extracting(settled -> settled.decision().debt()).containsExactly(30L, 30L);
        assertThatThrownBy(() -> now(one.settleAsync(id, 130))).isInstanceOf(ReservationEndedException.class);
        assertThat(second.peek(key, 0).debt()).isEqualTo(30);
    }
}
