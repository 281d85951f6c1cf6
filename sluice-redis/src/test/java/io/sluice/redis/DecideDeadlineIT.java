package io.sluice.redis;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.Decisions;
import io.sluice.Limit;
import io.sluice.LimiterOptions;
import io.sluice.OnFailure;
import io.sluice.RateLimiter;
import io.sluice.TimeSource;
import io.sluice.testkit.redis.RedisProcess;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** Tests that a blocking joint decision ends by the deadline, even if the watch over deadlines does not run. */
class DecideDeadlineIT {
    @Test
    void decide_withoutTheWatchOverDeadlines_isAnsweredByTheDeadline() throws Exception {
        CountDownLatch over = new CountDownLatch(1);
        try (RedisProcess redis = RedisProcess.start();
                RedisStore store = RedisStore.connect(redis.uri())) {
            RateLimiter limiter =
                    store.limiter("limiter", LimiterOptions.onFailure(OnFailure.DENY), Limit.parse("10/d"));
            assertThat(store.decide(List.of(limiter.charge("key", 1))).allowed())
                    .isTrue();
            // The thread that watches over deadlines is busy, and Redis does not answer.
            CountDownLatch busy = new CountDownLatch(1);
            TimeSource.system().schedule(0, () -> {
                busy.countDown();
                awaitQuietly(over);
            });
            busy.await();
            redis.pause();
            CompletableFuture<Decisions> decided =
                    CompletableFuture.supplyAsync(() -> store.decide(List.of(limiter.charge("key", 1))));
            Decisions decisions = decided.get(30, TimeUnit.SECONDS);
            assertThat(decisions.allowed()).isFalse();
            assertThat(decisions.each().get(0).degraded()).isTrue();
            redis.resume();
        } finally {
            over.countDown();
        }
    }

    private static void awaitQuietly(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
