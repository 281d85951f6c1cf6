package io.sluice.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.Decision;
import io.sluice.HoldEndedException;
import io.sluice.Limit;
import io.sluice.LimiterListener;
import io.sluice.Permit;
import io.sluice.RateLimitedException;
import io.sluice.RateLimiter;
import io.sluice.Reservation;
import io.sluice.spi.PolicyStore;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.FutureTask;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Permits of a limiter that are held until they are closed. */
@Timeout(60)
interface EnterContract extends StoreUnderTest {
    private static Permit enter(RateLimiter limiter) {
        return limiter.tryEnter("key").orElseThrow();
    }

    @Test
    default void tryEnter_upToThePermits_thenIsEmpty() {
        RateLimiter limiter = newLimiter(new ManualTime(), "concurrency 2");
        Permit first = enter(limiter);
        assertThat(first.key()).isEqualTo("key");
        assertThat(first.isHeld()).isTrue();
        assertThat(first.decision()).isEqualTo(Decision.allowed(1, 0, 60_000_000));
        Permit second = enter(limiter);
        assertThat(second.decision().remaining()).isZero();
        assertThat(limiter.tryEnter("key")).isEmpty();
        first.close();
        assertThat(first.isHeld()).isFalse();
        first.close();
        assertThat(limiter.peek("key").remaining()).as("closed twice").isEqualTo(1);
        second.close();
        assertThat(limiter.peek("key")).isEqualTo(Decision.allowed(2, 0, 0));
    }

    @Test
    default void permit_open_isRenewedUntilItIsClosed() {
        ManualTime time = new ManualTime();
        RateLimiter limiter = newLimiter(time, "concurrency 1 hold 30s");
        Permit permit = enter(limiter);
        for (int i = 0; i < 20; i++) {
            time.advance(Duration.ofSeconds(10));
            assertThat(limiter.peek("key").resetAfter())
                    .as("after renewal %s", i)
                    .isEqualTo(Duration.ofSeconds(30));
        }
        assertThat(permit.isHeld()).isTrue();
        assertThat(limiter.tryEnter("key")).isEmpty();
        permit.close();
        assertThat(limiter.peek("key").remaining()).isEqualTo(1);
    }

    @Test
    default void permit_afterReset_isNotHeld() {
        ManualTime time = new ManualTime();
        RateLimiter limiter = newLimiter(time, "concurrency 1");
        Permit permit = enter(limiter);
        limiter.reset("key");
        Permit other = enter(limiter);
        time.advance(Duration.ofSeconds(20));
        assertThat(limiter.peek("key").remaining()).isZero();
        assertThat(permit.isHeld()).as("after a renewal that found nothing").isFalse();
        permit.close();
        assertThat(limiter.peek("key").remaining()).as("the other is held").isZero();
        other.close();
    }

    @Test
    default void enter_severalWaiters_areServedInOrderAsOthersLeave() throws Exception {
        RateLimiter limiter = newLimiter(new ManualTime(), "concurrency 1");
        Permit held = limiter.enter("key");
        List<CompletableFuture<Permit>> waiters = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            waiters.add(limiter.enterAsync("key").toCompletableFuture());
        }
        waiters.get(1).cancel(false);
        for (int i : new int[] {0, 2, 3}) {
            assertThat(waiters.get(i)).as("waiter %s", i).isNotDone();
            held.close();
            held = waiters.get(i).get();
            assertThat(held.isHeld()).isTrue();
        }
        held.close();
        assertThat(limiter.peek("key").remaining()).isEqualTo(1);
    }

    @Test
    default void enter_holderThatDied_isServedWhenItsHoldLapses() throws Exception {
        ManualTime time = new ManualTime();
        PolicyStore store = newStore(time);
        RateLimiter limiter = store.limiter("limiter", Limit.parse("concurrency 1 hold 30s"));
        Stages.get(store.enterAsync(List.of(limiter.charge("key", 1))));
        CompletableFuture<Permit> waiter = limiter.enterAsync("key").toCompletableFuture();
        time.advance(Duration.ofSeconds(30).minusNanos(1000));
        assertThat(waiter).isNotDone();
        time.advanceMicros(1);
        assertThat(waiter.get().isHeld()).isTrue();
    }

    @Test
    default void tryEnter_timeout_isEmptyAndHoldsNothing() throws Exception {
        ManualTime time = new ManualTime();
        RateLimiter limiter = newLimiter(time, "concurrency 1");
        Permit held = enter(limiter);
        CompletableFuture<Optional<Permit>> waiter =
                limiter.tryEnterAsync("key", Duration.ofMinutes(2)).toCompletableFuture();
        time.advance(Duration.ofMinutes(2).minusNanos(1000));
        assertThat(waiter).isNotDone();
        time.advanceMicros(1);
        assertThat(waiter.get()).isEmpty();
        held.close();
        assertThat(limiter.tryEnter("key", Duration.ZERO)).isPresent();
    }

    @Test
    default void tryEnter_timeoutShorterThanTheHold_isServedWhenAnotherLeaves() throws Exception {
        RateLimiter limiter = newLimiter(new ManualTime(), "concurrency 1 hold 1h");
        Permit held = enter(limiter);
        CompletableFuture<Optional<Permit>> waiter =
                limiter.tryEnterAsync("key", Duration.ofSeconds(1)).toCompletableFuture();
        CompletableFuture<Optional<Permit>> second =
                limiter.tryEnterAsync("key", Duration.ofSeconds(1)).toCompletableFuture();
        assertThat(waiter).isNotDone();
        held.close();
        waiter.get().orElseThrow().close();
        assertThat(second.get()).isPresent();
    }

    @Test
    default void enter_interrupted_holdsNothing() throws Exception {
        RateLimiter limiter = newLimiter(new ManualTime(), "concurrency 1");
        Permit held = enter(limiter);
        FutureTask<Throwable> task = new FutureTask<>(() -> {
            try {
                return new AssertionError("entered: " + limiter.enter("key"));
            } catch (InterruptedException e) {
                return e;
            }
        });
        Thread thread = new Thread(task);
        thread.start();
        thread.interrupt();
        assertThat(task.get()).isInstanceOf(InterruptedException.class);
        held.close();
        assertThat(limiter.peek("key").remaining()).isEqualTo(1);
    }

    @Test
    default void enter_withARate_takesBothOrNone() throws Exception {
        ManualTime time = new ManualTime();
        RateLimiter limiter = newStore(time)
                .limiter("limiter", Limit.parse("fixed-window 2/s from-first"), Limit.parse("concurrency 1"));
        Permit permit = limiter.enter("key");
        assertThat(limiter.tryEnter("key")).as("one is in flight").isEmpty();
        permit.close();
        assertThat(limiter.peek("key").remaining()).as("the rate stays used").isEqualTo(1);
        enter(limiter).close();
        assertThat(limiter.tryEnter("key")).as("the rate is used up").isEmpty();
        CompletableFuture<Permit> waiter = limiter.enterAsync("key").toCompletableFuture();
        assertThat(waiter).isNotDone();
        time.advance(Duration.ofSeconds(1));
        waiter.get().close();
        assertThat(limiter.peek("key").remaining()).isEqualTo(1);
    }

    @Test
    default void enter_onlyRates_takesAPermitAndGivesNothingBack() throws Exception {
        ManualTime time = new ManualTime();
        RateLimiter limiter = newLimiter(time, "2/s");
        assertThat(limiter.limitsConcurrency()).isFalse();
        Permit permit = limiter.enter("key");
        assertThat(permit.isHeld()).isTrue();
        permit.close();
        assertThat(permit.isHeld()).isFalse();
        assertThat(limiter.peek("key").remaining()).isEqualTo(1);
        enter(limiter);
        CompletableFuture<Permit> waiter = limiter.enterAsync("key").toCompletableFuture();
        assertThat(waiter).isNotDone();
        time.advance(Duration.ofMillis(500));
        waiter.get().close();
        assertThat(limiter.peek("key").remaining()).isZero();
    }

    @Test
    default void call_limitOfConcurrency_entersAndLeaves() throws Exception {
        RateLimiter limiter = newLimiter(new ManualTime(), "concurrency 1");
        String answer = limiter.call("key", () -> {
            assertThat(limiter.peek("key").remaining()).as("during the task").isZero();
            assertThatThrownBy(() -> limiter.call("key", () -> "never run")).isInstanceOf(RateLimitedException.class);
            return "answer";
        });
        assertThat(answer).isEqualTo("answer");
        assertThatThrownBy(() -> limiter.call("key", Duration.ofSeconds(1), () -> {
                    throw new IOException("failed");
                }))
                .isInstanceOf(IOException.class);
        assertThat(limiter.peek("key").remaining()).isEqualTo(1);
    }

    @Test
    default void otherVerbs_withPermits_areRefused() {
        RateLimiter limiter = newLimiter(new ManualTime(), "concurrency 2");
        assertThat(limiter.limitsConcurrency()).isTrue();
        List<ThrowingCallable> verbs = List.of(
                () -> limiter.tryAcquire("key"),
                () -> limiter.check("key"),
                () -> limiter.acquireUpTo("key", 3),
                () -> limiter.acquire("key"),
                () -> limiter.tryAcquire("key", Duration.ofSeconds(1)),
                () -> limiter.reserve("key"),
                () -> limiter.penalize("key"),
                () -> Stages.get(limiter.tryAcquireAsync("key")),
                () -> Stages.get(limiter.checkAsync("key")),
                () -> Stages.get(limiter.acquireUpToAsync("key", 3)),
                () -> Stages.get(limiter.acquireAsync("key")),
                () -> Stages.get(limiter.reserveAsync("key")),
                () -> Stages.get(limiter.penalizeAsync("key")));
        Permit permit = enter(limiter);
        for (int i = 0; i < verbs.size(); i++) {
            assertThatThrownBy(verbs.get(i))
                    .as("verb %s", i)
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("limiter \"limiter\"")
                    .hasMessageContaining("concurrency 2")
                    .hasMessageContaining("enter");
        }
        assertThat(limiter.tryAcquire("key", 0)).isTrue();
        assertThat(limiter.check("key", 0).remaining()).isEqualTo(1);
        limiter.refund("key", 5);
        assertThat(limiter.peek("key", 1).remaining()).as("nothing was changed").isEqualTo(1);
        permit.close();
    }

    @Test
    default void pause_deniesEntry_butNotLeaving() {
        ManualTime time = new ManualTime();
        RateLimiter limiter = newLimiter(time, "concurrency 2");
        Permit permit = enter(limiter);
        limiter.pause("key", Duration.ofSeconds(5));
        assertThat(limiter.tryEnter("key")).isEmpty();
        assertThat(limiter.peek("key", 1)).isEqualTo(Decision.denied(0, 5_000_000, 60_000_000));
        permit.close();
        assertThat(limiter.peek("key", 1)).isEqualTo(Decision.denied(0, 5_000_000, 5_000_000));
        time.advance(Duration.ofSeconds(5));
        assertThat(limiter.tryEnter("key")).isPresent();
    }

    @Test
    default void update_lowerNumber_leavesADebt() {
        RateLimiter limiter = newLimiter(new ManualTime(), "concurrency 3");
        Permit first = enter(limiter);
        Permit second = enter(limiter);
        limiter.update(Limit.parse("concurrency 1"));
        assertThat(limiter.peek("key").allowed())
                .as("more is held than the limit")
                .isFalse();
        assertThat(limiter.peek("key").debt()).isEqualTo(1);
        first.close();
        assertThat(limiter.peek("key").allowed()).isTrue();
        assertThat(limiter.tryEnter("key")).isEmpty();
        second.close();
        assertThat(limiter.tryEnter("key")).isPresent();
    }

    @Test
    default void update_higherNumber_servesWaiters() {
        RateLimiter limiter = newLimiter(new ManualTime(), "concurrency 1");
        Permit held = enter(limiter);
        CompletableFuture<Permit> waiter = limiter.enterAsync("key").toCompletableFuture();
        limiter.update(Limit.parse("concurrency 2"));
        assertThat(waiter.join().isHeld()).isTrue();
        held.close();
    }

    @Test
    default void update_shorterHold_countsFromTheNextRenewal() {
        ManualTime time = new ManualTime();
        RateLimiter limiter = newLimiter(time, "concurrency 1");
        Permit permit = enter(limiter);
        limiter.update(Limit.parse("concurrency 1 hold 3s"));
        assertThat(limiter.peek("key").resetAfter()).isEqualTo(Duration.ofMinutes(1));
        time.advance(Duration.ofSeconds(20));
        for (int i = 0; i < 10; i++) {
            assertThat(limiter.peek("key").resetAfter()).as("renewal %s", i).isEqualTo(Duration.ofSeconds(3));
            time.advance(Duration.ofSeconds(1));
        }
        assertThat(permit.isHeld()).isTrue();
    }

    @Test
    default void update_fromAndToRates_carriesNothing() {
        ManualTime time = new ManualTime();
        PolicyStore store = newStore(time);
        RateLimiter limiter = store.limiter("limiter", Limit.parse("concurrency 3"));
        Permit permit = enter(limiter);
        String holds = Objects.requireNonNull(
                Stages.get(store.enterAsync(List.of(limiter.charge("key", 1)))).holds());
        limiter.update(Limit.parse("fixed-window 5/d"));
        assertThat(limiter.peek("key").remaining()).isEqualTo(5);
        assertThatThrownBy(() -> Stages.get(store.releaseAsync(holds))).isInstanceOf(HoldEndedException.class);
        assertThatCode(permit::close).doesNotThrowAnyException();
        limiter.check("key", 4);
        limiter.update(Limit.parse("concurrency 2"));
        assertThat(limiter.peek("key")).isEqualTo(Decision.allowed(2, 0, 0));
    }

    @Test
    default void update_withARateBefore_carriesTheHolds() {
        RateLimiter limiter = newLimiter(new ManualTime(), "concurrency 1");
        Permit held = enter(limiter);
        limiter.update(Limit.parse("10/s"), Limit.parse("concurrency 2"));
        assertThat(held.isHeld()).isTrue();
        assertThat(limiter.tryEnter("key")).isPresent();
        assertThat(limiter.tryEnter("key")).as("two are held").isEmpty();
        held.close();
        assertThat(limiter.tryEnter("key")).isPresent();
    }

    @Test
    default void settle_reservationOfARateBefore_leavesTheTimeOfTheKey() {
        ManualTime time = new ManualTime();
        RateLimiter limiter = newLimiter(time, "fixed-window 5/d");
        Reservation reservation = limiter.reserve("key", 1);
        limiter.update(Limit.parse("concurrency 2 hold 5m"));
        Permit permit = enter(limiter);
        time.advance(Duration.ofSeconds(10));
        reservation.settle(2);
        time.set(ManualTime.START_MICROS);
        assertThat(limiter.peek("key").resetAfter()).isEqualTo(Duration.ofMinutes(5));
        permit.close();
    }

    @Test
    default void update_toConcurrency_failsWaitersForPermitsOfRates() {
        RateLimiter limiter = newLimiter(new ManualTime(), "fixed-window 1/d");
        limiter.check("key");
        CompletableFuture<Void> acquiring = limiter.acquireAsync("key").toCompletableFuture();
        CompletableFuture<Permit> entering = limiter.enterAsync("key").toCompletableFuture();
        limiter.update(Limit.parse("concurrency 1"));
        assertThat(entering.join().isHeld()).isTrue();
        assertThatThrownBy(acquiring::join).hasCauseInstanceOf(IllegalStateException.class);
    }

    @Test
    default void acquire_behindWaiters_isRefusedToo() {
        RateLimiter limiter = newLimiter(new ManualTime(), "concurrency 1");
        Permit held = enter(limiter);
        CompletableFuture<Permit> waiter = limiter.enterAsync("key").toCompletableFuture();
        assertThatThrownBy(() -> limiter.acquire("key")).isInstanceOf(IllegalStateException.class);
        held.close();
        assertThat(waiter.join().isHeld()).isTrue();
    }

    @Test
    default void close_limiter_failsWaitersAndKeepsPermits() {
        RateLimiter limiter = newLimiter(new ManualTime(), "concurrency 1");
        Permit held = enter(limiter);
        CompletableFuture<Permit> waiter = limiter.enterAsync("key").toCompletableFuture();
        limiter.close();
        assertThatThrownBy(waiter::join).hasCauseInstanceOf(IllegalStateException.class);
        held.close();
    }

    @Test
    default void close_permitOfAClosedLimiter_servesTheWaitersOfTheNext() {
        PolicyStore store = newStore(new ManualTime());
        RateLimiter closed = store.limiter("limiter", Limit.parse("concurrency 1"));
        Permit held = enter(closed);
        closed.close();
        RateLimiter next = store.limiter("limiter", Limit.parse("concurrency 1"));
        CompletableFuture<Permit> waiter = next.enterAsync("key").toCompletableFuture();
        assertThat(waiter).isNotDone();
        held.close();
        assertThat(waiter).succeedsWithin(Duration.ofSeconds(10));
    }

    @Test
    default void enter_blocked_throwsAtOnce() {
        RateLimiter limiter = newLimiter(new ManualTime(), "blocked");
        assertThatThrownBy(() -> limiter.enter("key")).isInstanceOf(IllegalArgumentException.class);
        assertThat(limiter.tryEnter("key")).isEmpty();
    }

    @Test
    default void enter_withListener_isReported() throws Exception {
        List<String> reports = new ArrayList<>();
        LimiterListener listener = new LimiterListener() {
            @Override
            public void decided(String limiter, String key, long permits, Decision decision) {
                reports.add("decided " + limiter + " " + key + " " + permits + " " + decision.allowed());
            }

            @Override
            public void waited(String limiter, String key, long permits, boolean acquired, Duration waited) {
                reports.add("waited " + limiter + " " + key + " " + permits + " " + acquired + " " + waited);
            }
        };
        RateLimiter limiter = newLimiter(new ManualTime(), "concurrency 1").withListener(listener);
        Permit permit = limiter.forKey("key").enter();
        assertThat(limiter.tryEnter("key")).isEmpty();
        assertThat(limiter.tryEnter("key", Duration.ZERO)).isEmpty();
        permit.close();
        Stages.get(limiter.tryEnterAsync("key")).orElseThrow().close();
        assertThat(reports)
                .containsExactly(
                        "waited limiter key 1 true PT0S",
                        "decided limiter key 1 false",
                        "waited limiter key 1 false PT0S",
                        "decided limiter key 1 true");
    }
}
