package com.example.orders;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.sluice.testkit.redis.RedisProcess;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** Two instances on one Redis, which is killed and comes back. */
class TwoInstancesTest {
    /** The orders that the free plan has in a day. */
    private static final int ORDERS = 20;

    /** What the partner allows: 10 calls in any 4 s. */
    private static final int CALLS = 10;

    private static final Duration WINDOW = Duration.ofSeconds(4);

    /** What the job asks for: 10 calls in 5 s, because a machine that builds may delay a call for long. */
    private static final String LIMIT = "leaky-bucket 10 per 5s capacity 100";

    private static final Duration OUTAGE = Duration.ofSeconds(3);

    @Test
    void twoInstances_withRedisKilledInBetween_keepTheLimitsTogether() throws Exception {
        // Redis writes each change to its disk before it answers. So a kill loses nothing that was counted.
        try (RedisProcess redis = RedisProcess.start("--appendonly", "yes", "--appendfsync", "always");
                PartnerStub partner = new PartnerStub();
                Instance one = new Instance(redis, partner, LIMIT);
                Instance two = new Instance(redis, partner, LIMIT)) {
            assertThat(created(order(12, one, two)))
                    .as("while there are enough")
                    .isEqualTo(12);
            await().atMost(Duration.ofSeconds(30)).until(() -> partner.calls() > 0);

            redis.kill();
            int shippedBefore = partner.calls();
            long end = System.nanoTime() + OUTAGE.toNanos();
            while (System.nanoTime() < end) {
                assertThat(created(order(10, one, two))).as("without Redis").isZero();
            }
            assertThat(partner.calls() - shippedBefore)
                    .as("calls without Redis: only those that had their turn already")
                    .isLessThanOrEqualTo(2);

            redis.restart();
            await().atMost(Duration.ofSeconds(30)).until(() -> one.hasRedis() && two.hasRedis());
            List<HttpResponse<String>> responses = order(40, one, two);
            assertThat(created(responses)).as("the rest").isEqualTo(ORDERS - 12);
            assertThat(responses).extracting(HttpResponse::statusCode).containsOnly(201, 429);

            await().atMost(Duration.ofSeconds(60)).until(() -> one.hasShippedAll() && two.hasShippedAll());
            assertThat(partner.calls()).isEqualTo(ORDERS);
            assertThat(partner.mostIn(WINDOW)).isLessThanOrEqualTo(CALLS);
        }
    }

    /** Sends so many orders of one tenant at the same time, in turns to one instance and to the other. */
    private static List<HttpResponse<String>> order(int count, Instance one, Instance two) {
        List<CompletableFuture<HttpResponse<String>>> responses = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            responses.add((i % 2 == 0 ? one : two).order("free-key"));
        }
        return responses.stream().map(CompletableFuture::join).toList();
    }

    private static long created(List<HttpResponse<String>> responses) {
        return responses.stream()
                .filter(response -> response.statusCode() == 201)
                .count();
    }
}
