package io.sluice.redis;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.Decision;
import io.sluice.Limit;
import io.sluice.RateLimiter;
import io.sluice.testkit.ManualTime;
import io.sluice.testkit.ReferenceModel;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests that batched calls are decided in order, each as by the model. */
class RedisMergedIT {
    @ParameterizedTest
    @ValueSource(
            strings = {
                "50/s burst 40",
                "7 per 3s burst 20",
                "1000000000/s burst 1000000",
                "50/s burst 40 refill interval",
                "leaky-bucket 50/s capacity 40",
                "leaky-bucket 50/s capacity 40 lockout 1s",
                "fixed-window 60 per 1s",
                "fixed-window 60 per 1s from-first lockout 300ms",
                "sliding-log 60 per 1s",
                "sliding-counter 60 per 1s slots 8",
                "sliding-log 60 per 1s lockout 100ms",
                "sliding-log 60 per 1s lockout 100ms escalate 3",
                "50/s burst 40 lockout 100ms escalate 2",
                "fixed-window 600 per day zone Asia/Kolkata",
                "fixed-window 60 per year lockout 100ms escalate 1",
                "warm-up 50/s over 2s",
                "warm-up 50/s over 2s lockout 100ms escalate 2",
                "warm-up 50/s over 2s & fixed-window 100 per day",
                "50/s burst 40 & sliding-log 60 per 1s lockout 200ms",
                "leaky-bucket 50/s & fixed-window 45 per 1s",
                "unlimited",
                "blocked"
            })
    void manyCallers_onFewKeys_areDecidedAsByTheModel(String texts) throws Exception {
        Limit[] limits = List.of(texts.split(" & ")).stream().map(Limit::parse).toArray(Limit[]::new);
        Limit[] more = List.of(limits).subList(1, limits.length).toArray(Limit[]::new);
        ManualTime time = ManualTime.forwardOnly(ManualTime.START_MICROS);
        RateLimiter limiter = TestRedis.store(time).limiter("merged", limits[0], more);
        ReferenceModel model = ReferenceModel.of(limits[0], more);
        Random random = new Random(texts.hashCode());
        for (int round = 0; round < 60; round++) {
            time.advanceMicros(random.nextInt(300_000));
            List<CompletableFuture<?>> answers = new ArrayList<>();
            List<Object> expected = new ArrayList<>();
            long permits = 1;
            String key = "a";
            for (int i = random.nextInt(60); i >= 0; i--) {
                if (random.nextInt(5) == 0) {
                    permits = random.nextInt(4);
                    key = random.nextBoolean() ? "a" : "b";
                }
                int verb = random.nextInt(8);
                if (verb == 0) {
                    answers.add(limiter.tryAcquireAsync(key, permits).toCompletableFuture());
                    expected.add(model.tryAcquire(key, permits, time.micros()));
                } else if (verb == 1) {
                    // Several in a row, which are merged.
                    for (int n = random.nextInt(4); n >= 0; n--) {
                        answers.add(limiter.acquireUpToAsync(key, permits).toCompletableFuture());
                        expected.add(model.acquireUpTo(key, permits, time.micros()));
                    }
                } else {
                    answers.add(limiter.checkAsync(key, permits).toCompletableFuture());
                    expected.add(model.check(key, permits, time.micros()));
                }
            }
            for (int i = 0; i < answers.size(); i++) {
                assertThat(answers.get(i).get())
                        .as("round %s, call %s of %s", round, i, answers.size())
                        .isEqualTo(expected.get(i));
            }
            Decision peek = model.peek("a", 1, time.micros());
            assertThat(limiter.peek("a", 1)).isEqualTo(peek);
        }
    }
}
