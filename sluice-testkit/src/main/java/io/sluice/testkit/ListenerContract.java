package io.sluice.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.CallLimiter;
import io.sluice.Charge;
import io.sluice.Decision;
import io.sluice.Decisions;
import io.sluice.Gate;
import io.sluice.Limit;
import io.sluice.LimiterListener;
import io.sluice.LimiterOptions;
import io.sluice.OnFailure;
import io.sluice.RateLimiter;
import io.sluice.spi.PolicyStore;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The contract of listeners on limiters. */
@Timeout(60)
interface ListenerContract extends StoreUnderTest {
    /** What a listener has heard, in order. */
    final class Heard implements LimiterListener {
        /** A decision, or the end of a wait if the decision is null. */
        record Event(String limiter, String key, long permits, Object answer) {}

        private final BlockingQueue<Event> events = new LinkedBlockingQueue<>();

        @Override
        public void decided(String limiter, String key, long permits, Decision decision) {
            events.add(new Event(limiter, key, permits, decision));
        }

        @Override
        public void waited(String limiter, String key, long permits, boolean acquired, Duration waited) {
            events.add(new Event(limiter, key, permits, acquired + " after " + waited));
        }

        /** The next event. It may come from another thread, soon. */
        Event next() {
            try {
                return events.take();
            } catch (InterruptedException e) {
                throw new AssertionError(e);
            }
        }

        boolean isSilent() {
            return events.isEmpty();
        }
    }

    private static Heard.Event event(String key, long permits, Object answer) {
        return new Heard.Event("limiter", key, permits, answer);
    }

    @Test
    default void listener_requests_areHeard() throws Exception {
        Heard heard = new Heard();
        RateLimiter limiter = newLimiter(new ManualTime(), "10/d").withListener(heard);
        ReferenceModel model = ReferenceModel.of(Limit.parse("10/d"));
        long now = ManualTime.START_MICROS;

        limiter.tryAcquire("key", 2);
        assertThat(heard.next()).isEqualTo(event("key", 2, model.check("key", 2, now)));
        limiter.tryAcquire("key", 9);
        assertThat(heard.next()).isEqualTo(event("key", 9, model.check("key", 9, now)));
        limiter.check("key", 1);
        assertThat(heard.next()).isEqualTo(event("key", 1, model.check("key", 1, now)));
        limiter.call("key", () -> "done");
        assertThat(heard.next()).isEqualTo(event("key", 1, model.check("key", 1, now)));
        limiter.acquireUpTo("key", 99);
        assertThat(heard.next()).as("what was taken").isEqualTo(event("key", 6, model.check("key", 6, now)));
        limiter.acquireUpTo("key", 99);
        assertThat(heard.next()).as("one that was denied").isEqualTo(event("key", 1, model.check("key", 1, now)));
        assertThatThrownBy(() -> limiter.call("key", () -> "done")).hasMessageContaining("denied");
        assertThat(heard.next()).isEqualTo(event("key", 1, model.check("key", 1, now)));

        limiter.peek("key", 1);
        limiter.refund("key", 10);
        limiter.penalize("key", 1);
        limiter.reset("key");
        assertThat(heard.isSilent()).as("no requests").isTrue();
    }

    @Test
    default void listener_asynchronousRequests_areHeard() {
        Heard heard = new Heard();
        RateLimiter limiter = newLimiter(new ManualTime(), "sliding-log 10/d").withListener(heard);
        ReferenceModel model = ReferenceModel.of(Limit.parse("sliding-log 10/d"));
        long now = ManualTime.START_MICROS;
        Stages.get(limiter.tryAcquireAsync("key", 2));
        assertThat(heard.next()).isEqualTo(event("key", 2, model.check("key", 2, now)));
        Stages.get(limiter.checkAsync("key", 3));
        assertThat(heard.next()).isEqualTo(event("key", 3, model.check("key", 3, now)));
        Stages.get(limiter.acquireUpToAsync("key", 6));
        assertThat(heard.next()).isEqualTo(event("key", 5, model.check("key", 5, now)));
        assertThat(limiter.tryAcquireAsync("key", -1).toCompletableFuture()).isCompletedExceptionally();
        assertThat(heard.isSilent()).isTrue();
    }

    @Test
    default void listener_leakyBucketNeedsDelay_hearsADenialUntilTheDelayIsOver() {
        Heard heard = new Heard();
        RateLimiter limiter =
                newLimiter(new ManualTime(), "leaky-bucket 10/s capacity 5").withListener(heard);
        limiter.tryAcquire("key", 2);
        heard.next();
        limiter.tryAcquire("key");
        Decision denied = Decision.denied(3, 200_000, 200_000);
        assertThat(heard.next()).isEqualTo(event("key", 1, denied));
        limiter.acquireUpTo("key", 2);
        assertThat(heard.next()).isEqualTo(event("key", 2, denied));
        limiter.check("key", 1);
        assertThat(heard.next()).isEqualTo(event("key", 1, Decision.allowed(2, 200_000, 300_000)));
    }

    @Test
    default void listener_waits_areHeardWithTheirLength() throws Exception {
        Heard heard = new Heard();
        ManualTime time = new ManualTime();
        RateLimiter limiter = newLimiter(time, "1/s").withListener(heard);
        limiter.acquire("key");
        assertThat(heard.next()).isEqualTo(event("key", 1, "true after PT0S"));
        assertThat(limiter.tryAcquire("key", 1, Duration.ofMillis(999))).isFalse();
        assertThat(heard.next()).isEqualTo(event("key", 1, "false after PT0S"));
        CompletableFuture<Void> waiter = limiter.acquireAsync("key", 1).toCompletableFuture();
        CompletableFuture<Boolean> cancelled =
                limiter.tryAcquireAsync("key", 1, Duration.ofMinutes(1)).toCompletableFuture();
        cancelled.cancel(false);
        assertThat(heard.next()).isEqualTo(event("key", 1, "false after PT0S"));
        time.advance(Duration.ofSeconds(1));
        waiter.get();
        assertThat(heard.next()).isEqualTo(event("key", 1, "true after PT1S"));
        assertThatThrownBy(() -> limiter.acquire("key", 2)).isInstanceOf(IllegalArgumentException.class);
        assertThat(heard.next()).as("can never be had").isEqualTo(event("key", 2, "false after PT0S"));
        assertThatThrownBy(() -> limiter.acquire("key", -1)).isInstanceOf(IllegalArgumentException.class);
        assertThat(heard.isSilent()).as("a wrong argument is no request").isTrue();
    }

    @Test
    default void listener_reservations_areHeardWithTheirDelay() {
        Heard heard = new Heard();
        RateLimiter limiter = newLimiter(new ManualTime(), "1/s burst 2").withListener(heard);
        limiter.reserve("key", 2);
        assertThat(heard.next()).isEqualTo(event("key", 2, "true after PT0S"));
        limiter.reserve("key", 1);
        assertThat(heard.next()).isEqualTo(event("key", 1, "true after PT1S"));
        Stages.get(limiter.reserveAsync("key", 1, Duration.ofSeconds(1)));
        assertThat(heard.next()).isEqualTo(event("key", 1, "false after PT0S"));
    }

    @Test
    default void listener_jointDecision_hearsTheVerdictOfItsLimiter() {
        Heard heard = new Heard();
        PolicyStore store = newStore(new ManualTime());
        RateLimiter limiter = store.limiter("limiter", Limit.parse("10/d")).withListener(heard);
        RateLimiter other = store.limiter("other", Limit.parse("1/d"));
        CallLimiter calls = store.callLimiter("calls").withListener(heard);
        List<Charge> charges =
                List.of(limiter.charge("a", 3), other.charge("b", 1), calls.charge("c", 2, Limit.parse("5/d")));
        for (int i = 0; i < 2; i++) {
            Decisions decisions = i == 0 ? store.decide(charges) : Stages.get(store.decideAsync(charges));
            assertThat(decisions.allowed()).isEqualTo(i == 0);
            assertThat(heard.next()).isEqualTo(event("a", 3, decisions.each().get(0)));
            assertThat(heard.next())
                    .isEqualTo(new Heard.Event("calls", "c", 2, decisions.each().get(2)));
        }
        assertThat(limiter.peek("a").remaining()).as("charged once").isEqualTo(7);
    }

    @Test
    default void listener_callLimiter_isHeard() {
        Heard heard = new Heard();
        CallLimiter calls = newStore(new ManualTime())
                .callLimiter("calls", LimiterOptions.onFailure(OnFailure.DENY).listener(heard));
        Decision first = calls.check("key", 2, Limit.parse("5/d"));
        assertThat(heard.next()).isEqualTo(new Heard.Event("calls", "key", 2, first));
        Decision second = Stages.get(calls.checkAsync("key", Limit.parse("5/d")));
        assertThat(second.remaining()).isEqualTo(2);
        assertThat(heard.next()).isEqualTo(new Heard.Event("calls", "key", 1, second));
        calls.peek("key", 1, Limit.parse("5/d"));
        calls.refund("key", 1);
        calls.reset("key");
        assertThat(heard.isSilent()).isTrue();
    }

    @Test
    default void listener_ofTheOptions_hearsOnlyTheLimiterThatWasReturned() {
        Heard first = new Heard();
        Heard second = new Heard();
        PolicyStore store = newStore(new ManualTime());
        LimiterOptions options = LimiterOptions.onFailure(OnFailure.DENY).revision(0);
        Limit limit = Limit.parse("10/d");
        RateLimiter one = store.limiter("limiter", options.listener(first), limit);
        RateLimiter two = store.limiter("limiter", options.listener(second), limit);
        RateLimiter none = store.limiter("limiter", limit);
        one.tryAcquire("key");
        assertThat(first.next().permits()).isEqualTo(1);
        two.tryAcquire("key", 2);
        assertThat(second.next().permits()).isEqualTo(2);
        none.tryAcquire("key", 3);
        assertThat(first.isSilent() && second.isSilent()).isTrue();
        assertThat(none.peek("key").remaining()).as("one limiter").isEqualTo(4);
        Gate both = one.forKey("key").withListener(second);
        both.tryAcquire();
        assertThat(first.next()).isEqualTo(second.next());
        assertThat(both.limiter().limits()).containsExactly(limit);
    }

    @Test
    default void listener_throws_losesNothing() throws Exception {
        LimiterListener broken = new LimiterListener() {
            @Override
            public void decided(String limiter, String key, long permits, Decision decision) {
                throw new IllegalStateException("a listener's own failure");
            }

            @Override
            public void waited(String limiter, String key, long permits, boolean acquired, Duration waited) {
                throw new AssertionError("a listener's own failure");
            }
        };
        Heard heard = new Heard();
        PolicyStore store = newStore(new ManualTime());
        RateLimiter limiter = store.limiter("limiter", Limit.parse("10/d"))
                .withListener(broken)
                .withListener(heard);
        assertThat(limiter.tryAcquire("key")).isTrue();
        assertThat(limiter.check("key").allowed()).isTrue();
        assertThat(limiter.acquireUpTo("key", 1)).isEqualTo(1);
        assertThat(Stages.get(limiter.checkAsync("key")).allowed()).isTrue();
        assertThat(Stages.get(limiter.tryAcquireAsync("key"))).isTrue();
        assertThat(store.decide(List.of(limiter.charge("key"))).allowed()).isTrue();
        limiter.acquire("key");
        assertThat(limiter.reserve("key").granted()).isTrue();
        assertThat(limiter.peek("key").remaining()).isEqualTo(2);
        for (int i = 0; i < 8; i++) {
            assertThat(heard.next().key()).isEqualTo("key");
        }
    }
}
