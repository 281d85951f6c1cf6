package io.sluice.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.Decision;
import io.sluice.Limit;
import io.sluice.RateLimiter;
import io.sluice.memory.MemoryStore;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The known mistakes of other rate limiters, where windows of the calendar, warm-up and escalation could make them. The numbers
 * are those of the design document.
 */
class NewKindsMistakesTest {
    private static final long DAY = 86_400_000_000L;

    /** 2026-01-01T00:00:00Z. */
    private final ManualTime time = new ManualTime();

    private final MemoryStore store = MemoryStore.builder().time(time).build();

    private RateLimiter limiter(String limit) {
        return store.limiter(limit, Limit.parse(limit));
    }

    /** Asks as soon as the limiter says that it is worth it. */
    private int admittedWhenPolite(RateLimiter limiter, Duration until) {
        long end = time.micros() + until.toNanos() / 1000;
        int admitted = 0;
        while (time.micros() < end) {
            Decision decision = limiter.check("polite");
            admitted += decision.allowed() ? 1 : 0;
            time.advanceMicros(Math.max(1, limiter.peek("polite").retryAfterMicros()));
        }
        return admitted;
    }

    @Test
    void mistake1_frequentCallers_doNotStarveAWarmUp() {
        int polite = admittedWhenPolite(limiter("warm-up 5/s over 2s"), Duration.ofSeconds(10));
        RateLimiter limiter = limiter("warm-up 5/s over 2s");
        int admitted = 0;
        for (int i = 0; i < 10_000_000 / 125; i++) {
            admitted += limiter.tryAcquire("frequent") ? 1 : 0;
            time.advanceMicros(125);
        }
        assertThat(admitted).as("in 10 seconds").isBetween(polite - 1, polite).isGreaterThan(40);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "warm-up 3/s over 2s",
                "warm-up 7 per 3s over 2s",
                "fixed-window 5 per day zone Asia/Kolkata",
            })
    void mistake2_denials_loseNothing(String limit) {
        RateLimiter limiter = limiter(limit);
        for (String key : List.of("disturbed", "undisturbed")) {
            limiter.check(key, 4);
        }
        for (int i = 0; i < 1000; i++) {
            time.advanceMicros(331);
            assertThat(limiter.check("disturbed", 4).allowed()).isFalse();
        }
        assertThat(limiter.peek("disturbed")).isEqualTo(limiter.peek("undisturbed"));
        time.advance(Duration.ofSeconds(3));
        assertThat(limiter.peek("disturbed")).isEqualTo(limiter.peek("undisturbed"));
    }

    @Test
    void mistake3_longWindow_doesNotComeBackEarly() {
        RateLimiter limiter = limiter("fixed-window 5 per month");
        limiter.check("key", 5);
        for (int day = 0; day < 30; day++) {
            time.advance(Duration.ofDays(1));
            assertThat(limiter.tryAcquire("key")).as("day " + day).isFalse();
        }
        time.advanceMicros(DAY - 1);
        assertThat(limiter.tryAcquire("key")).as("last moment of January").isFalse();
        time.advanceMicros(1);
        assertThat(limiter.tryAcquire("key")).isTrue();
    }

    @Test
    void mistake3_escalation_isForgottenNeitherEarlyNorLate() {
        RateLimiter limiter = limiter("fixed-window 1 per 1s lockout 1m escalate 3");
        for (int minutes : new int[] {1, 2, 4, 8, 8}) {
            limiter.tryAcquire("key");
            assertThat(limiter.check("key").retryAfter()).isEqualTo(Duration.ofMinutes(minutes));
            time.advance(Duration.ofMinutes(minutes));
        }
        time.advanceMicros(DAY - 1);
        assertThat(limiter.peek("key").resetAfterMicros()).isEqualTo(1);
        limiter.tryAcquire("key");
        assertThat(limiter.check("key").retryAfter()).as("a day minus 1 us").isEqualTo(Duration.ofMinutes(8));
        time.advance(Duration.ofMinutes(8));
        time.advanceMicros(DAY);
        limiter.tryAcquire("key");
        assertThat(limiter.check("key").retryAfter()).as("a day").isEqualTo(Duration.ofMinutes(1));
    }

    @Test
    void mistake5_deniedRequests_doNotCount() {
        RateLimiter limiter = limiter("fixed-window 5 per day");
        int admitted = 0;
        for (int minute = 0; minute < 10 * 24 * 60; minute++) {
            admitted += limiter.tryAcquire("key") ? 1 : 0;
            time.advance(Duration.ofMinutes(1));
        }
        assertThat(admitted).as("of a busy client, in 10 days").isEqualTo(50);

        limiter.check("key", 5);
        assertThat(limiter.check("key", 3).allowed()).isFalse();
        limiter.refund("key", 2);
        assertThat(limiter.peek("key").remaining()).as("2 of 5 were refunded").isEqualTo(2);
    }

    @ParameterizedTest
    @CsvSource({
        "fixed-window 100 per day, 100",
        "fixed-window 100 per year zone Asia/Kolkata, 100",
        "warm-up 10/s over 1s, 1"
    })
    void mistake7_concurrentCallers_neverExceedTheLimit(String limit, int most) throws InterruptedException {
        RateLimiter limiter = limiter(limit);
        AtomicLong admitted = new AtomicLong();
        CountDownLatch start = new CountDownLatch(1);
        Thread[] threads = new Thread[4];
        for (int i = 0; i < threads.length; i++) {
            threads[i] = new Thread(() -> {
                start.countDown();
                for (int n = 0; n < 300; n++) {
                    admitted.addAndGet(limiter.tryAcquire("key") ? 1 : 0);
                }
            });
            threads[i].start();
        }
        for (Thread thread : threads) {
            thread.join();
        }
        assertThat(admitted.get()).isEqualTo(most);
    }

    @Test
    void mistake9_timeThatStepsBackOverMidnight_opensNoWindowAgain() {
        RateLimiter limiter = limiter("fixed-window 10 per day zone Asia/Shanghai");
        long midnight = time.micros() + 16 * 3_600_000_000L;
        long admitted = 0;
        for (int i = 0; i < 200; i++) {
            time.set(midnight - 1 + i % 2);
            admitted += limiter.tryAcquire("key") ? 1 : 0;
        }
        assertThat(admitted).as("one on the old day, then the new one").isEqualTo(11);
        time.set(0);
        assertThat(limiter.peek("key").remaining()).isZero();
    }

    @Test
    void mistake9_timeThatStepsBack_neitherCoolsNorForgets() {
        RateLimiter warmUp = limiter("warm-up 10/s over 1s");
        RateLimiter escalating = limiter("fixed-window 1 per 1s lockout 1m escalate 3");
        warmUp.tryAcquire("key");
        long cost = warmUp.peek("key").retryAfterMicros();
        long start = time.micros();
        time.set(start - DAY);
        assertThat(warmUp.tryAcquire("key")).isFalse();
        assertThat(warmUp.peek("key").retryAfterMicros()).isEqualTo(cost);

        time.set(start);
        escalating.check("key");
        escalating.check("key");
        time.set(start - 3 * DAY);
        assertThat(escalating.check("key").retryAfter()).isEqualTo(Duration.ofMinutes(1));
        time.set(start + 60_000_000);
        escalating.check("key");
        assertThat(escalating.check("key").retryAfter()).isEqualTo(Duration.ofMinutes(2));
    }

    @Test
    void mistake11_sameMicrosecond_everyRequestCounts() {
        RateLimiter window = limiter("fixed-window 2 per year");
        assertThat(List.of(window.tryAcquire("key"), window.tryAcquire("key"), window.tryAcquire("key")))
                .containsExactly(true, true, false);
        RateLimiter warmUp = limiter("warm-up 1000000/s over 1s");
        assertThat(List.of(warmUp.tryAcquire("key"), warmUp.tryAcquire("key"))).containsExactly(true, false);
    }

    @ParameterizedTest
    @ValueSource(strings = {"warm-up 10/s over 1s", "fixed-window 100 per month"})
    void mistake12_anotherLimitDenies_nothingIsTaken(String limit) {
        RateLimiter all = limiter(limit);
        RateLimiter user = limiter("blocked");
        Decision before = all.peek("all");
        for (int i = 0; i < 50; i++) {
            assertThat(store.decide(List.of(all.charge("all", 1), user.charge("alice", 1)))
                            .allowed())
                    .isFalse();
        }
        assertThat(all.peek("all")).isEqualTo(before);
        assertThat(all.tryAcquire("all")).isTrue();
    }

    @ParameterizedTest
    @CsvSource({
        "fixed-window 100 per month, fixed-window 95 per month, 5",
        "fixed-window 100 per month, fixed-window 95 per month zone Asia/Tokyo, 5",
        "fixed-window 100 per month, fixed-window 95 per day, 5",
        "100/d, fixed-window 95 per week, 5",
        "fixed-window 100 per month, 95/d, 5",
        "fixed-window 100 per month, fixed-window 50 per month, 0",
    })
    void mistake13_changedCalendar_isNeitherAnAmnestyNorIgnored(String before, String after, long remaining) {
        RateLimiter limiter = limiter(before);
        limiter.check("key", 90);
        limiter.update(Limit.parse(after));
        assertThat(limiter.peek("key").remaining()).isEqualTo(remaining);
    }

    @Test
    void mistake13_changedWarmUpAndEscalation_areNeitherAnAmnestyNorIgnored() {
        RateLimiter warmUp = limiter("warm-up 10/s over 1s");
        warmUp.check("key", 5);
        long unpaid = warmUp.peek("key").retryAfterMicros();
        warmUp.update(Limit.parse("warm-up 1000/s over 1s"));
        assertThat(warmUp.peek("key").retryAfterMicros()).as("F stays").isEqualTo(unpaid);

        RateLimiter escalating = limiter("fixed-window 1 per 1s lockout 1m escalate 5");
        for (int minutes : new int[] {1, 2, 4}) {
            escalating.tryAcquire("key");
            assertThat(escalating.check("key").retryAfter()).isEqualTo(Duration.ofMinutes(minutes));
            time.advance(Duration.ofMinutes(minutes));
        }
        escalating.update(Limit.parse("fixed-window 1 per 1s lockout 1m escalate 2"));
        escalating.tryAcquire("key");
        assertThat(escalating.check("key").retryAfter()).as("at most 2 times").isEqualTo(Duration.ofMinutes(4));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "warm-up 7 per 3s over 2s",
                "warm-up 10/s over 2s lockout 10ms escalate 4",
                "fixed-window 7 per day zone America/Sao_Paulo",
                "fixed-window 7 per 3s lockout 1s escalate 2"
            })
    void mistake14_retryAfter_isNeitherTooEarlyNorTooLate(String limit) {
        RateLimiter limiter = limiter(limit);
        int denied = 0;
        for (int i = 0; i < 500; i++) {
            limiter.check("key", 1 + i % 3);
            time.advanceMicros(97_001);
            long permits = 1L + i % 4;
            Decision decision = limiter.peek("key", permits);
            if (!decision.allowed()) {
                denied++;
                long now = time.micros();
                time.set(now + decision.retryAfterMicros() - 1);
                assertThat(limiter.peek("key", permits).allowed())
                        .as("a microsecond early")
                        .isFalse();
                time.set(now + decision.retryAfterMicros());
                assertThat(limiter.peek("key", permits).allowed()).as("on time").isTrue();
            }
        }
        assertThat(denied).isPositive();
    }

    @Test
    void mistake15_waitThatMustFail_answersAtOnce() throws InterruptedException {
        RateLimiter window = limiter("fixed-window 1 per month");
        RateLimiter warmUp = limiter("warm-up 1/s over 10s");
        window.tryAcquire("key");
        warmUp.tryAcquire("key");
        long before = time.micros();
        // Nobody moves the time. A call that waits does not return.
        assertThat(window.tryAcquire("key", 1, Duration.ofDays(30))).isFalse();
        assertThat(warmUp.tryAcquire("key", 1, Duration.ofSeconds(2))).isFalse();
        assertThat(time.micros()).isEqualTo(before);
        assertThat(warmUp.tryAcquire("other", 1, Duration.ofSeconds(2))).isTrue();
    }
}
