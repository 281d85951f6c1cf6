package io.sluice.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.Limit;
import io.sluice.Permit;
import io.sluice.RateLimiter;
import io.sluice.adapt.Adaptation;
import io.sluice.memory.MemoryStore;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class AdaptationTest {
    private final ManualTime time = new ManualTime();
    private final MemoryStore store = MemoryStore.builder().time(time).build();
    private double load = Double.NaN;

    @AfterEach
    void close() {
        store.close();
    }

    @Test
    void limits_followTheSignal_andKeepWhatWasUsed() {
        RateLimiter limiter = store.limiter("api", Limit.parse("100/d"), Limit.parse("leaky-bucket 40/d"));
        List<BigDecimal> heard = new ArrayList<>();
        Adaptation adaptation = Adaptation.of(limiter)
                .signal(() -> load)
                .time(time)
                .onChange(heard::add)
                .start();
        assertThat(limiter.tryAcquire("a", 1)).isTrue();

        load = 0.9;
        time.advance(Duration.ofSeconds(1));
        assertThat(limiter.limits()).containsExactly(Limit.parse("50/d"), Limit.parse("leaky-bucket 20/d"));
        assertThat(limiter.peek("a").remaining()).isEqualTo(19);

        load = 0.1;
        time.advance(Duration.ofSeconds(3));
        assertThat(adaptation.factor()).isEqualByComparingTo("0.75");
        int scheduled = time.scheduled();
        adaptation.close();
        assertThat(limiter.limits()).containsExactly(Limit.parse("100/d"), Limit.parse("leaky-bucket 40/d"));
        assertThat(heard).hasSize(2);
        assertThat(time.scheduled()).isEqualTo(scheduled - 1);
    }

    @Test
    void concurrency_followsTheSignal_andKeepsWhatIsInFlight() {
        RateLimiter limiter = store.limiter("api", Limit.parse("concurrency 4"));
        try (Adaptation adaptation = Adaptation.of(limiter)
                .signal(() -> load)
                .above(0.99)
                .below(0.92)
                .down(0.75)
                .up(1.5)
                .between(0.75, 2)
                .time(time)
                .start()) {
            List<Permit> permits = new ArrayList<>();
            for (int i = 0; i < 4; i++) {
                permits.add(limiter.tryEnter("a").orElseThrow());
            }

            load = 1;
            time.advance(Duration.ofSeconds(1));
            assertThat(adaptation.factor()).isEqualByComparingTo("0.75");
            permits.remove(0).close();
            assertThat(limiter.tryEnter("a")).isEmpty();
            permits.remove(0).close();
            permits.add(limiter.tryEnter("a").orElseThrow());

            load = 0.5;
            time.advance(Duration.ofSeconds(6));
            assertThat(limiter.limits()).containsExactly(Limit.parse("concurrency 8"));
            assertThat(limiter.peek("a").remaining()).isEqualTo(5);
            permits.forEach(Permit::close);
        }
    }

    @Test
    void signal_thatFails_changesNothing() {
        RateLimiter limiter = store.limiter("api", Limit.parse("100/d"));
        try (Adaptation adaptation = Adaptation.of(limiter)
                .signal(() -> {
                    throw new IllegalStateException("no CPU");
                })
                .time(time)
                .start()) {
            time.advance(Duration.ofSeconds(5));
            assertThat(adaptation.factor()).isEqualByComparingTo("1");
        }
    }

    /** While nothing is measured, for example because no request ends, nothing is known about the load. */
    @Test
    void signal_withoutAValue_changesNothing() {
        RateLimiter limiter = store.limiter("api", Limit.parse("100/d"));
        try (Adaptation adaptation =
                Adaptation.of(limiter).signal(() -> load).time(time).start()) {
            load = 0.9;
            time.advance(Duration.ofSeconds(1));
            load = Double.NaN;
            time.advance(Duration.ofSeconds(60));
            assertThat(adaptation.factor()).isEqualByComparingTo("0.5");
            load = 0.1;
            time.advance(Duration.ofSeconds(1));
            load = Double.NaN;
            time.advance(Duration.ofSeconds(60));
            assertThat(adaptation.factor()).isEqualByComparingTo("0.75");
        }
    }

    @Test
    void adaptiveConcurrency_ofAKey_findsItsNumber_andAnIdleKeyForgetsIt() {
        RateLimiter limiter = store.limiter("api", Limit.parse("concurrency adaptive from 4"));
        ArrayDeque<Permit> inFlight = new ArrayDeque<>();
        // A server that finishes one request each millisecond, in turn, under overload; alone, a request takes 10 ms.
        for (int i = 0; i < 20_000; i++) {
            Optional<Permit> permit = limiter.tryEnter("k");
            while (permit.isPresent()) {
                inFlight.add(permit.get());
                permit = limiter.tryEnter("k");
            }
            time.advanceMicros(Math.max(1_000, 10_000 / inFlight.size()));
            inFlight.remove().close();
        }
        long number = limiter.peek("k").remaining() + inFlight.size();
        assertThat(number).isBetween(20L, 40L);
        assertThat(limiter.peek("other").remaining()).isEqualTo(4);

        inFlight.forEach(Permit::close);
        time.advance(Duration.ofMinutes(5));
        assertThat(limiter.peek("k").remaining()).isGreaterThan(15);
        time.advance(Duration.ofMinutes(6));
        assertThat(limiter.peek("k").remaining()).isEqualTo(4);
    }

    /** During a measurement fewer are admitted. If all requests hang then, a waiter must not wait until one of them lapses. */
    @Test
    void adaptiveConcurrency_endOfAMeasurement_letsAWaiterIn() throws Exception {
        RateLimiter limiter = store.limiter("api", Limit.parse("concurrency adaptive"));
        ArrayDeque<Permit> inFlight = new ArrayDeque<>();
        for (int i = 0; i < 10_000 && (i == 0 || inFlight.size() == 20); i++) {
            if (i > 0) {
                inFlight.remove().close();
            }
            time.advanceMicros(1_000);
            Optional<Permit> permit = limiter.tryEnter("k");
            while (permit.isPresent()) {
                inFlight.add(permit.get());
                permit = limiter.tryEnter("k");
            }
        }
        assertThat(inFlight).as("measures").hasSize(19);
        Duration retryAfter = limiter.peek("k", 1).retryAfter();
        assertThat(retryAfter).isLessThan(Duration.ofSeconds(10));

        CompletableFuture<Permit> waiting = limiter.enterAsync("k").toCompletableFuture();
        assertThat(waiting).isNotDone();
        time.advance(retryAfter);
        assertThat(waiting.get(10, TimeUnit.SECONDS).isHeld()).isTrue();
    }

    @Test
    void adaptiveConcurrency_droppedRequests_lowerTheNumber() {
        RateLimiter limiter = store.limiter("api", Limit.parse("concurrency adaptive from 40"));
        for (int i = 0; i < 100; i++) {
            Permit permit = limiter.tryEnter("k").orElseThrow();
            time.advanceMicros(10_000);
            permit.drop();
        }
        assertThat(limiter.peek("k").remaining()).isLessThan(40);
    }

    @Test
    void adaptiveConcurrency_update_keepsTheNumberThatWasFound() {
        RateLimiter limiter = store.limiter("api", Limit.parse("concurrency adaptive from 40"));
        Permit permit = limiter.tryEnter("k").orElseThrow();
        limiter.update(Limit.parse("concurrency adaptive between 1 and 30"));
        assertThat(limiter.peek("k").remaining()).isEqualTo(29);
        permit.close();
    }
}
