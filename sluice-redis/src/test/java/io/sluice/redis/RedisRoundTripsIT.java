package io.sluice.redis;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.Decision;
import io.sluice.Limit;
import io.sluice.Permit;
import io.sluice.RateLimiter;
import io.sluice.Reservation;
import io.sluice.testkit.ManualTime;
import io.sluice.testkit.redis.RedisProcess;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Counts the calls to Redis, by the statistics of Redis. With virtual time there is no heartbeat, so nothing else is counted. */
class RedisRoundTripsIT {
    private static final ManualTime TIME = new ManualTime();
    private static RedisProcess redis;
    private static RedisStore store;

    @BeforeAll
    static void start() {
        redis = RedisProcess.start();
        store = RedisStore.builder()
                .uri(redis.uri())
                .deadline(Duration.ofSeconds(20))
                .virtualTime(TIME)
                .build();
        // Redis learns the script.
        store.limiter("first", Limit.parse("10/s")).check("key");
    }

    @AfterAll
    static void stop() {
        store.close();
        redis.close();
    }

    /** Something that may wait. */
    interface Task {
        void run() throws Exception;
    }

    private static long calls(Task task) throws Exception {
        long before = redis.calls("evalsha");
        task.run();
        return redis.calls("evalsha") - before;
    }

    @Test
    void anyVerb_isOneCall() throws Exception {
        RateLimiter limiter = store.limiter("verbs", Limit.parse("10/s"), Limit.parse("sliding-log 1000 per 1m"));
        assertThat(calls(() -> limiter.check("key", 2))).isEqualTo(1);
        assertThat(calls(() -> limiter.tryAcquire("key", 2))).isEqualTo(1);
        assertThat(calls(() -> limiter.peek("key"))).isEqualTo(1);
        assertThat(calls(() -> limiter.refund("key", 1))).isEqualTo(1);
        assertThat(calls(() -> limiter.penalize("key", 1))).isEqualTo(1);
        Reservation[] reservation = new Reservation[1];
        assertThat(calls(() -> reservation[0] = limiter.reserve("key", 1))).isEqualTo(1);
        assertThat(calls(() -> reservation[0].cancel())).isEqualTo(1);
        assertThat(calls(() -> limiter.reset("key"))).isEqualTo(1);
        assertThat(redis.calls("eval")).as("the script is sent once").isLessThanOrEqualTo(2);
    }

    @Test
    void enterAndLeave_areOneCallEach() throws Exception {
        RateLimiter one = store.limiter("held", Limit.parse("concurrency 2"));
        RateLimiter both = store.limiter("held and counted", Limit.parse("concurrency 2"), Limit.parse("10/s"));
        for (RateLimiter limiter : List.of(one, both)) {
            Permit[] permit = new Permit[1];
            assertThat(calls(() -> permit[0] = limiter.tryEnter("key").orElseThrow()))
                    .isEqualTo(1);
            assertThat(calls(permit[0]::close)).isEqualTo(1);
            assertThat(calls(permit[0]::close)).as("again").isZero();
            assertThat(calls(() -> permit[0] = limiter.enter("key"))).isEqualTo(1);
            assertThat(calls(permit[0]::close)).isEqualTo(1);
        }
        String[] holds = new String[1];
        assertThat(calls(() -> holds[0] = store.enterAsync(List.of(one.charge("a"), both.charge("b")))
                        .toCompletableFuture()
                        .get()
                        .holds()))
                .isEqualTo(1);
        assertThat(calls(() -> store.renewAsync(holds[0]).toCompletableFuture().get()))
                .isEqualTo(1);
        assertThat(calls(
                        () -> store.releaseAsync(holds[0]).toCompletableFuture().get()))
                .isEqualTo(1);
    }

    @Test
    void chargesOnManyLimiters_areOneCall() throws Exception {
        List<RateLimiter> limiters = new ArrayList<>();
        for (String limit :
                List.of("10/s", "leaky-bucket 10/s", "fixed-window 10/s", "sliding-log 10/s", "sliding-counter 10/s")) {
            limiters.add(store.limiter("joint " + limit, Limit.parse(limit)));
        }
        assertThat(calls(() -> store.decide(limiters.stream()
                        .map(limiter -> limiter.charge("key", 1))
                        .toList())))
                .isEqualTo(1);
    }

    @Test
    void waiting_onABucket_isOneCallAndOneCheckForAPause() throws Exception {
        RateLimiter limiter = store.limiter("waiting", Limit.parse("1/s burst 1"));
        limiter.acquire("key");
        assertThat(calls(() -> {
                    CompletableFuture<Void> waiter =
                            limiter.acquireAsync("key", 1).toCompletableFuture();
                    TIME.awaitScheduled(1);
                    TIME.advance(Duration.ofSeconds(1));
                    waiter.get();
                }))
                .isEqualTo(2);
        assertThat(calls(() -> limiter.tryAcquire("key", 1, Duration.ofMillis(10))))
                .as("answers at once")
                .isEqualTo(1);
    }

    @Test
    void concurrentCalls_areBatched() throws Exception {
        RateLimiter limiter = store.limiter("merged", Limit.parse("100/h"));
        assertThat(calls(() -> {
                    List<CompletableFuture<Decision>> decisions = new ArrayList<>();
                    redis.pause();
                    for (int i = 0; i < 500; i++) {
                        decisions.add(limiter.checkAsync("key", 1).toCompletableFuture());
                        decisions.add(limiter.checkAsync("other" + i, 1).toCompletableFuture());
                    }
                    redis.resume();
                    for (int i = 0; i < decisions.size(); i++) {
                        boolean first = i % 2 == 1 || i < 200;
                        assertThat(decisions.get(i).get().allowed())
                                .as("decision %s, in the order of asking", i)
                                .isEqualTo(first);
                    }
                    assertThat(decisions.get(198).get().remaining()).isZero();
                    assertThat(decisions.get(0).get().remaining()).isEqualTo(99);
                }))
                .as("the first alone, then the others together")
                .isLessThanOrEqualTo(3);
    }
}
