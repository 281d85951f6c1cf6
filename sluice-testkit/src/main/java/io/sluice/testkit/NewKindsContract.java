package io.sluice.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.Decision;
import io.sluice.Limit;
import io.sluice.RateLimiter;
import io.sluice.Reservation;
import io.sluice.spi.PolicyStore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Windows of the calendar, warm-up and escalation: waiting, and the known mistakes of other rate limiters where they could make
 * them. The numbers are those of the design document. Time begins at 2026-01-01T00:00:00Z.
 */
interface NewKindsContract extends StoreUnderTest {
    private static RateLimiter limiter(PolicyStore store, String limit) {
        return store.limiter(limit, Limit.parse(limit));
    }

    /** Asks as soon as the limiter says that it is worth it. */
    private static int admittedWhenPolite(RateLimiter limiter, ManualTime time, Duration until) {
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
    default void mistake1_frequentCallers_doNotStarveAWarmUp() {
        ManualTime time = new ManualTime();
        PolicyStore store = newStore(time);
        int polite = admittedWhenPolite(limiter(store, "warm-up 5/s over 2s"), time, Duration.ofSeconds(10));
        RateLimiter limiter = limiter(store, "warm-up 5/s over 2s");
        int admitted = 0;
        for (int i = 0; i < 10_000_000 / 1999; i++) {
            admitted += limiter.tryAcquire("frequent") ? 1 : 0;
            time.advanceMicros(1999);
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
    default void mistake2_denials_loseNothing(String limit) {
        ManualTime time = new ManualTime();
        PolicyStore store = newStore(time);
        RateLimiter limiter = limiter(store, limit);
        for (String key : List.of("disturbed", "undisturbed")) {
            limiter.check(key, 4);
        }
        for (int i = 0; i < 300; i++) {
            time.advanceMicros(331);
            assertThat(limiter.check("disturbed", 4).allowed()).isFalse();
        }
        assertThat(limiter.peek("disturbed")).isEqualTo(limiter.peek("undisturbed"));
        time.advance(Duration.ofSeconds(3));
        assertThat(limiter.peek("disturbed")).isEqualTo(limiter.peek("undisturbed"));
    }

    @Test
    default void mistake3_longWindow_doesNotComeBackEarly() {
        ManualTime time = new ManualTime();
        PolicyStore store = newStore(time);
        RateLimiter limiter = limiter(store, "fixed-window 5 per month");
        limiter.check("key", 5);
        for (int day = 0; day < 30; day++) {
            time.advance(Duration.ofDays(1));
            assertThat(limiter.tryAcquire("key")).as("day " + day).isFalse();
        }
        time.advance(Duration.ofDays(1).minusNanos(1000));
        assertThat(limiter.tryAcquire("key")).as("last moment of January").isFalse();
        time.advanceMicros(1);
        assertThat(limiter.tryAcquire("key")).isTrue();
    }

    @Test
    default void mistake3_escalation_isForgottenNeitherEarlyNorLate() {
        ManualTime time = new ManualTime();
        PolicyStore store = newStore(time);
        RateLimiter limiter = limiter(store, "fixed-window 1 per 1s lockout 1m escalate 3");
        for (int minutes : new int[] {1, 2, 4, 8, 8}) {
            limiter.tryAcquire("key");
            assertThat(limiter.check("key").retryAfter()).isEqualTo(Duration.ofMinutes(minutes));
            time.advance(Duration.ofMinutes(minutes));
        }
        time.advance(Duration.ofDays(1).minusNanos(1000));
        assertThat(limiter.peek("key").resetAfterMicros()).isEqualTo(1);
        limiter.tryAcquire("key");
        assertThat(limiter.check("key").retryAfter()).as("a day minus 1 us").isEqualTo(Duration.ofMinutes(8));
        time.advance(Duration.ofMinutes(8));
        time.advance(Duration.ofDays(1));
        limiter.tryAcquire("key");
        assertThat(limiter.check("key").retryAfter()).as("a day").isEqualTo(Duration.ofMinutes(1));
    }

    @Test
    default void mistake5_deniedRequestsOfACalendar_doNotCount() {
        ManualTime time = new ManualTime();
        PolicyStore store = newStore(time);
        RateLimiter limiter = limiter(store, "fixed-window 5 per day");
        int admitted = 0;
        for (int hour = 0; hour < 10 * 24; hour++) {
            admitted += limiter.tryAcquire("key") ? 1 : 0;
            time.advance(Duration.ofHours(1));
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
    default void mistake7_concurrentCallersOfNewKinds_neverExceedTheLimit(String limit, int most)
            throws InterruptedException {
        ManualTime time = new ManualTime();
        PolicyStore store = newStore(time);
        RateLimiter limiter = limiter(store, limit);
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
    default void mistake9_timeThatStepsBackOverMidnight_opensNoWindowAgain() {
        ManualTime time = new ManualTime();
        PolicyStore store = newStore(time);
        RateLimiter limiter = limiter(store, "fixed-window 10 per day zone Asia/Shanghai");
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
    default void mistake9_timeThatStepsBack_neitherCoolsNorForgets() {
        ManualTime time = new ManualTime();
        PolicyStore store = newStore(time);
        RateLimiter warmUp = limiter(store, "warm-up 10/s over 1s");
        RateLimiter escalating = limiter(store, "fixed-window 1 per 1s lockout 1m escalate 3");
        warmUp.tryAcquire("key");
        long cost = warmUp.peek("key").retryAfterMicros();
        long start = time.micros();
        time.set(start - 86_400_000_000L);
        assertThat(warmUp.tryAcquire("key")).isFalse();
        assertThat(warmUp.peek("key").retryAfterMicros()).isEqualTo(cost);

        time.set(start);
        escalating.check("key");
        escalating.check("key");
        time.set(start - 3 * 86_400_000_000L);
        assertThat(escalating.check("key").retryAfter()).isEqualTo(Duration.ofMinutes(1));
        time.set(start + 60_000_000);
        escalating.check("key");
        assertThat(escalating.check("key").retryAfter()).isEqualTo(Duration.ofMinutes(2));
    }

    @Test
    default void mistake11_sameMicrosecondOfNewKinds_everyRequestCounts() {
        ManualTime time = new ManualTime();
        PolicyStore store = newStore(time);
        RateLimiter window = limiter(store, "fixed-window 2 per year");
        assertThat(List.of(window.tryAcquire("key"), window.tryAcquire("key"), window.tryAcquire("key")))
                .containsExactly(true, true, false);
        RateLimiter warmUp = limiter(store, "warm-up 1000000/s over 1s");
        assertThat(List.of(warmUp.tryAcquire("key"), warmUp.tryAcquire("key"))).containsExactly(true, false);
    }

    @ParameterizedTest
    @ValueSource(strings = {"warm-up 10/s over 1s", "fixed-window 100 per month"})
    default void mistake12_anotherLimitThanANewKindDenies_nothingIsTaken(String limit) {
        ManualTime time = new ManualTime();
        PolicyStore store = newStore(time);
        RateLimiter all = limiter(store, limit);
        RateLimiter user = limiter(store, "blocked");
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
    default void mistake13_changedCalendar_isNeitherAnAmnestyNorIgnored(String before, String after, long remaining) {
        ManualTime time = new ManualTime();
        PolicyStore store = newStore(time);
        RateLimiter limiter = limiter(store, before);
        limiter.check("key", 90);
        limiter.update(Limit.parse(after));
        assertThat(limiter.peek("key").remaining()).isEqualTo(remaining);
    }

    @Test
    default void mistake13_changedWarmUpAndEscalation_areNeitherAnAmnestyNorIgnored() {
        ManualTime time = new ManualTime();
        PolicyStore store = newStore(time);
        RateLimiter warmUp = limiter(store, "warm-up 10/s over 1s");
        warmUp.check("key", 5);
        long unpaid = warmUp.peek("key").retryAfterMicros();
        warmUp.update(Limit.parse("warm-up 1000/s over 1s"));
        assertThat(warmUp.peek("key").retryAfterMicros()).as("F stays").isEqualTo(unpaid);

        RateLimiter escalating = limiter(store, "fixed-window 1 per 1s lockout 1m escalate 5");
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
    default void mistake14_retryAfterOfNewKinds_isNeitherTooEarlyNorTooLate(String limit) {
        ManualTime time = new ManualTime();
        PolicyStore store = newStore(time);
        RateLimiter limiter = limiter(store, limit);
        int denied = 0;
        for (int i = 0; i < 200; i++) {
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
    default void mistake15_waitThatMustFail_answersAtOnce() throws InterruptedException {
        ManualTime time = new ManualTime();
        PolicyStore store = newStore(time);
        RateLimiter window = limiter(store, "fixed-window 1 per month");
        RateLimiter warmUp = limiter(store, "warm-up 1/s over 10s");
        window.tryAcquire("key");
        warmUp.tryAcquire("key");
        long before = time.micros();
        // Nobody moves the time. A call that waits does not return.
        assertThat(window.tryAcquire("key", 1, Duration.ofDays(30))).isFalse();
        assertThat(warmUp.tryAcquire("key", 1, Duration.ofSeconds(2))).isFalse();
        assertThat(time.micros()).isEqualTo(before);
        assertThat(warmUp.tryAcquire("other", 1, Duration.ofSeconds(2))).isTrue();
    }

    /** Cold, the first permit costs 2 s; then the limit is warm, and each costs 1 s. */
    @Test
    default void warmUp_severalWaiters_areServedInOrderAndPayForTheNext() throws Exception {
        ManualTime time = new ManualTime();
        RateLimiter limiter = limiter(newStore(time), "warm-up 1/s over 2s");
        assertThat(limiter.tryAcquire("key")).isTrue();
        List<CompletableFuture<Void>> waiters = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            waiters.add(limiter.acquireAsync("key", 1).toCompletableFuture());
        }
        time.advance(Duration.ofSeconds(1));
        for (CompletableFuture<Void> waiter : waiters) {
            time.advance(Duration.ofSeconds(1).minusNanos(1000));
            assertThat(waiter).as("a microsecond early").isNotDone();
            time.advanceMicros(1);
            waiter.get();
        }
        assertThat(limiter.peek("key").retryAfter()).isEqualTo(Duration.ofSeconds(1));
    }

    @Test
    default void calendar_severalWaiters_areServedAtMidnight() throws Exception {
        ManualTime time = new ManualTime();
        RateLimiter limiter = limiter(newStore(time), "fixed-window 1 per day zone Asia/Kolkata");
        assertThat(limiter.tryAcquire("key")).isTrue();
        List<CompletableFuture<Void>> waiters = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            waiters.add(limiter.acquireAsync("key", 1).toCompletableFuture());
        }
        // It is 05:30 in the zone.
        Duration untilMidnight = Duration.ofMinutes(24 * 60 - 330);
        for (CompletableFuture<Void> waiter : waiters) {
            time.advance(untilMidnight.minusNanos(1000));
            assertThat(waiter).as("a microsecond early").isNotDone();
            time.advanceMicros(1);
            waiter.get();
            untilMidnight = Duration.ofDays(1);
        }
        assertThat(limiter.tryAcquire("key")).isFalse();
    }

    @Test
    default void warmUp_cancelled_isAsBefore() {
        ManualTime time = new ManualTime();
        RateLimiter limiter = limiter(newStore(time), "warm-up 1/s over 2s");
        limiter.check("key", 1);
        Decision before = limiter.peek("key");
        Reservation first = limiter.reserve("key", 2);
        Reservation second = limiter.reserve("key", 1);
        assertThat(first.delay()).isEqualTo(Duration.ofSeconds(2));
        assertThat(second.delay()).isEqualTo(Duration.ofSeconds(4));
        first.cancel();
        assertThat(limiter.peek("key").retryAfter()).as("F moves back by 2 s").isEqualTo(Duration.ofSeconds(3));
        first.cancel();
        second.cancel();
        assertThat(limiter.peek("key")).isEqualTo(before);
    }

    @ParameterizedTest
    @ValueSource(strings = {"warm-up 1/s over 2s", "warm-up 1/s over 2s lockout 1m escalate 3"})
    default void warmUp_cancelledAfterItWasCold_givesNothingOfOthersBack(String limit) {
        ManualTime time = new ManualTime();
        RateLimiter limiter = limiter(newStore(time), limit);
        limiter.check("key", 1);
        limiter.check("key", 3);
        Reservation early = limiter.reserve("key", 1);
        Reservation settled = limiter.reserve("key", 2);
        time.advanceMicros(Duration.ofMinutes(2).toNanos() / 1000);
        Reservation late = limiter.reserve("key", 1);
        Decision before = limiter.peek("key");
        early.cancel();
        settled.settle(1);
        assertThat(limiter.peek("key"))
                .as("as if the store had forgotten the key")
                .isEqualTo(before);
        late.cancel();
        assertThat(limiter.peek("key").retryAfter()).isZero();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"fixed-window 1 per year lockout 1m escalate 3", "warm-up 1 per 1h over 1h lockout 1m escalate 3"
            })
    default void escalation_waitingIsNoDenial_countsNothing(String limit) throws Exception {
        ManualTime time = new ManualTime();
        RateLimiter limiter = limiter(newStore(time), limit);
        limiter.check("key", 1);
        for (int i = 0; i < 3; i++) {
            assertThat(limiter.tryAcquire("key", 1, Duration.ofSeconds(1))).isFalse();
            assertThat(limiter.reserve("key", 1, Duration.ofSeconds(1)).granted())
                    .isFalse();
            assertThat(limiter.check("key", 0).allowed()).isEqualTo(limit.startsWith("fixed"));
        }
        limiter.check("key", 1);
        limiter.refund("key", 1);
        assertThat(limiter.check("key", 1).retryAfter()).as("the first lockout").isEqualTo(Duration.ofMinutes(1));
    }

    @Test
    default void escalation_resetForgets_refundDoesNot() {
        ManualTime time = new ManualTime();
        RateLimiter limiter = limiter(newStore(time), "sliding-log 1 per 1s lockout 1m escalate 3");
        for (String key : List.of("refunded", "reset")) {
            limiter.check(key, 1);
            assertThat(limiter.check(key, 1).retryAfter()).isEqualTo(Duration.ofMinutes(1));
        }
        limiter.refund("refunded", 1);
        limiter.reset("reset");
        time.advance(Duration.ofMinutes(1));
        for (String key : List.of("refunded", "reset")) {
            limiter.check(key, 1);
        }
        assertThat(limiter.check("refunded", 1).retryAfter()).isEqualTo(Duration.ofMinutes(2));
        assertThat(limiter.check("reset", 1).retryAfter()).isEqualTo(Duration.ofMinutes(1));
    }
}
