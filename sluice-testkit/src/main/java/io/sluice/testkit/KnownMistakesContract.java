package io.sluice.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.Decision;
import io.sluice.Limit;
import io.sluice.RateLimiter;
import io.sluice.spi.PolicyStore;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A test for each known mistake of other rate limiters. The numbers are those of the design document. */
interface KnownMistakesContract extends StoreUnderTest {
    @Test
    default void mistake1_frequentCallers_doNotStarveTheRefill() {
        ManualTime time = ManualTime.forwardOnly(ManualTime.START_MICROS);
        RateLimiter limiter = newLimiter(time, "1/s burst 1");
        int admitted = 0;
        for (int i = 0; i <= 10_000; i++) {
            admitted += limiter.tryAcquire("key") ? 1 : 0;
            time.advanceMicros(999);
        }
        assertThat(admitted).as("in 9.99 seconds").isEqualTo(10);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "3/s burst 2",
                "3/s burst 2 lockout 1ms",
                "leaky-bucket 3/s capacity 2",
                "3/s burst 3 refill interval"
            })
    default void mistake2_denials_loseNoTokens(String limit) {
        ManualTime time = new ManualTime();
        RateLimiter limiter = newLimiter(time, limit);
        RateLimiter undisturbed = newLimiter(time, limit);
        limiter.check("key", 2);
        undisturbed.check("key", 2);
        for (int i = 0; i < 1000; i++) {
            time.advanceMicros(331);
            limiter.check("key", 3);
        }
        time.advanceMicros(2000);
        assertThat(limiter.peek("key").remaining())
                .isEqualTo(undisturbed.peek("key").remaining());
        assertThat(limiter.peek("key").resetAfter())
                .isEqualTo(undisturbed.peek("key").resetAfter());
    }

    @Test
    default void mistake3_slowBucket_doesNotComeBackFull() {
        ManualTime time = ManualTime.forwardOnly(ManualTime.START_MICROS);
        RateLimiter limiter = newLimiter(time, "5 per 1d burst 5");
        limiter.check("key", 5);
        for (int i = 0; i < 100; i++) {
            time.advance(Duration.ofSeconds(172));
        }
        assertThat(limiter.tryAcquire("key"))
                .as("after 17,200 of 17,280 seconds")
                .isFalse();
        time.advance(Duration.ofSeconds(80));
        assertThat(limiter.tryAcquire("key")).isTrue();
        assertThat(limiter.tryAcquire("key")).isFalse();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "5/s",
                "5/s refill interval",
                "leaky-bucket 5/s",
                "fixed-window 5/s",
                "fixed-window 5/s from-first",
                "sliding-log 5/s",
                "sliding-counter 5/s"
            })
    default void mistake5_deniedRequests_doNotCount(String limit) {
        ManualTime time = new ManualTime();
        RateLimiter limiter = newLimiter(time, limit);
        int admitted = 0;
        for (int i = 0; i < 2000; i++) {
            admitted += limiter.check("key", 5).allowed() ? 1 : 0;
            time.advanceMicros(5000);
        }
        assertThat(admitted).as("of a busy client, in 10 seconds").isEqualTo(10);

        // A new window hides what was wrongly counted. So the use is checked while the window is open.
        time.advance(Duration.ofSeconds(2));
        assertThat(limiter.check("key", 5).allowed()).isTrue();
        for (int i = 0; i < 5; i++) {
            assertThat(limiter.check("key", 1 + i).allowed()).isFalse();
            assertThat(limiter.tryAcquire("key")).isFalse();
        }
        limiter.refund("key", 2);
        assertThat(limiter.peek("key").remaining())
                .as("after 2 of 5 were refunded")
                .isEqualTo(2);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "1000/d",
                "leaky-bucket 1000/d",
                "1000/d refill interval",
                "fixed-window 1000/d",
                "sliding-log 1000/d",
                "sliding-counter 1000/d"
            })
    default void mistake7_concurrentCallers_neverExceedTheLimit(String limit) throws InterruptedException {
        RateLimiter limiter = newLimiter(ManualTime.forwardOnly(ManualTime.START_MICROS), limit);
        AtomicLong admitted = new AtomicLong();
        CountDownLatch start = new CountDownLatch(1);
        Thread[] threads = new Thread[8];
        for (int i = 0; i < threads.length; i++) {
            int permits = 1 + i % 3;
            threads[i] = new Thread(() -> {
                start.countDown();
                for (int n = 0; n < 300; n++) {
                    admitted.addAndGet(limiter.check("key", permits).allowed() ? permits : 0);
                }
            });
        }
        for (Thread thread : threads) {
            thread.start();
        }
        for (Thread thread : threads) {
            thread.join();
        }
        while (limiter.check("key").allowed()) {
            admitted.incrementAndGet();
        }
        assertThat(admitted.get()).isEqualTo(1000);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"10/s", "10/s refill interval", "fixed-window 10/s", "sliding-log 10/s", "sliding-counter 10/s"})
    default void mistake9_timeThatStepsBack_neverRefillsTwice(String limit) {
        ManualTime time = new ManualTime();
        RateLimiter limiter = newLimiter(time, limit);
        long start = time.micros();
        long admitted = 0;
        for (int i = 0; i < 200; i++) {
            time.set(start + (i % 2 == 0 ? 0 : 900_000));
            admitted += limiter.tryAcquire("key") ? 1 : 0;
        }
        assertThat(admitted).as("within 0.9 seconds, over and over").isLessThanOrEqualTo(19);
        time.set(0);
        assertThat(limiter.peek("key").remaining()).isBetween(0L, 10L);
    }

    @Test
    default void mistake11_sameMicrosecond_everyRequestCounts() {
        RateLimiter limiter = newLimiter(new ManualTime(), "sliding-log 5/s");
        for (int i = 0; i < 5; i++) {
            assertThat(limiter.tryAcquire("key")).isTrue();
        }
        assertThat(limiter.tryAcquire("key")).isFalse();
    }

    @Test
    default void mistake12_userDenies_globalPermitIsNotLost() {
        PolicyStore store = newStore(new ManualTime());
        RateLimiter all = store.limiter("all", Limit.parse("100/s"));
        RateLimiter user = store.limiter("user", Limit.parse("1/s"));
        for (int i = 0; i < 50; i++) {
            store.decide(List.of(all.charge("all", 1), user.charge("alice", 1)));
        }
        assertThat(all.peek("all").remaining()).isEqualTo(99);
    }

    @Test
    default void mistake13_changedLimit_isNeitherAnAmnestyNorIgnored() {
        RateLimiter limiter = newLimiter(new ManualTime(), "100/d");
        limiter.check("key", 90);
        limiter.update(Limit.parse("95/d"));
        assertThat(limiter.peek("key").remaining()).isEqualTo(5);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "7 per 3s",
                "7 per 3s refill interval",
                "leaky-bucket 7 per 3s",
                "fixed-window 7 per 3s",
                "fixed-window 7 per 3s from-first",
                "sliding-log 7 per 3s",
                "sliding-counter 7 per 3s"
            })
    default void mistake14_retryAfter_isNeitherTooEarlyNorTooLate(String limit) {
        ManualTime time = new ManualTime();
        RateLimiter limiter = newLimiter(time, limit);
        for (int i = 0; i < 500; i++) {
            limiter.check("key", 1 + i % 3);
            time.advanceMicros(97_001);
            long permits = 1L + i % 7;
            Decision decision = limiter.peek("key", permits);
            if (!decision.allowed()) {
                long now = time.micros();
                time.set(now + decision.retryAfterMicros() - 1);
                assertThat(limiter.peek("key", permits).allowed())
                        .as("a microsecond early")
                        .isFalse();
                time.set(now + decision.retryAfterMicros());
                assertThat(limiter.peek("key", permits).allowed()).as("on time").isTrue();
            }
        }
    }

    @Test
    default void mistake16_separatorsInKeysAndNames_neverCollide() {
        PolicyStore store = newStore(new ManualTime());
        String[][] pairs = {
            {"a", "b:c"},
            {"a:b", "c"},
            {"a", "b"},
            {"a:", "b"},
            {"a", ":b"},
            {"a{b", "c"},
            {"a", "{b}c"},
            {"", "a"},
            {"a", ""},
            {"a\u0000", "b"},
            {"a", "\u0000b"},
            {"a%3A", "b"},
            {"ä", "ö"},
            {"\ud800", "x"},
            {"\udfff", "x"}
        };
        for (String[] pair : pairs) {
            assertThat(store.limiter(pair[0], Limit.parse("1/d")).tryAcquire(pair[1]))
                    .as("%s and %s", pair[0], pair[1])
                    .isTrue();
        }
    }
}
