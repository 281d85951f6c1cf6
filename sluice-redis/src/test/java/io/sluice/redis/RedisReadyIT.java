package io.sluice.redis;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.spi.Publication;
import io.sluice.testkit.Eventually;
import io.sluice.testkit.MachineSpeed;
import io.sluice.testkit.redis.RedisProcess;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Tests that processes wait for each other until all are ready for an edition, but not for long. */
class RedisReadyIT {
    private static final Duration PATIENCE = Duration.ofSeconds(5);
    private static RedisProcess redis;

    private final String prefix = TestRedis.newPrefix();
    private final List<RedisStore> stores = new ArrayList<>();

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

    /** A process that follows the publication. Returns when the other processes know it. */
    private Publication newFollower() {
        RedisStore store = RedisStore.builder().uri(redis.uri()).prefix(prefix).build();
        stores.add(store);
        return store.publication("policies");
    }

    private Runnable follow(Publication publication, int followers) {
        Runnable end = publication.follow(edition -> {});
        Eventually.within(
                PATIENCE,
                "it is known who follows",
                () -> redis.command("HLEN", prefix + ":{config}:ready:policies").equals("" + followers));
        return end;
    }

    private static CompletableFuture<?> ready(Publication publication, long edition) {
        return publication.ready(edition).toCompletableFuture();
    }

    @Test
    void ready_alone_completesAtOnce() {
        Publication alone = newFollower();
        follow(alone, 1);
        try (MachineSpeed speed = new MachineSpeed()) {
            long began = System.nanoTime();
            ready(alone, 1).join();
            assertThat(Duration.ofNanos(System.nanoTime() - began)).isLessThan(speed.scale(Duration.ofMillis(900)));
        }
    }

    @Test
    void ready_whileOthersAreNot_waitsForThem() {
        Publication one = newFollower();
        Publication two = newFollower();
        follow(one, 1);
        follow(two, 2);
        CompletableFuture<?> waiting = ready(one, 1);
        CompletableFuture<?> other = two.ready(1).toCompletableFuture();
        CompletableFuture.allOf(waiting, other).join();

        long began = System.nanoTime();
        ready(one, 2).join();
        assertThat(Duration.ofNanos(System.nanoTime() - began))
                .as("somebody is never ready")
                .isGreaterThanOrEqualTo(Duration.ofMillis(900));
    }

    @Test
    void ready_whenTheOthersHaveLeft_completesAtOnce() {
        Publication one = newFollower();
        Publication two = newFollower();
        follow(one, 1);
        Runnable end = follow(two, 2);
        CompletableFuture<?> waiting = ready(one, 1);
        end.run();
        try (MachineSpeed speed = new MachineSpeed()) {
            long began = System.nanoTime();
            waiting.join();
            ready(one, 2).join();
            ready(one, 3).join();
            assertThat(Duration.ofNanos(System.nanoTime() - began)).isLessThan(speed.scale(Duration.ofMillis(1900)));
        }
    }
}
