package io.sluice.policy;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.Decision;
import io.sluice.testkit.ManualTime;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The reserve keeps a share of a limit for some requests, for every algorithm. */
interface ReserveContract extends EngineTests {
    Map<String, String> ORDINARY = Map.of("priority", "low");
    Map<String, String> CRITICAL = Map.of("priority", "critical");

    private PolicyEngine engine(String limit) {
        return engine(
                new ManualTime(),
                "- { name: p, limit: " + limit + ", reserve: { share: 15%, for: { priority: critical } } }\n");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "10 per 1h",
                "3 per 1h burst 10 refill interval",
                "leaky-bucket 4 per 1h capacity 10",
                "fixed-window 10 per 1h",
                "fixed-window 10 per 1h from-first",
                "sliding-log 10 per 1h",
                "sliding-counter 10 per 1h"
            })
    default void reserve_onEveryAlgorithm_keepsTheLastShare(String limit) {
        try (PolicyEngine engine = engine(limit)) {
            for (int i = 7; i >= 0; i--) {
                Decision decision = only(engine.check(ORDINARY));
                assertThat(decision.allowed()).as("with %d after it", i).isTrue();
                assertThat(decision.remaining())
                        .as("two of ten are kept: 1.5, rounded up")
                        .isEqualTo(i);
            }
            Decision denied = only(engine.check(ORDINARY));
            assertThat(denied.allowed()).isFalse();
            assertThat(denied.remaining()).isZero();
            assertThat(denied.never()).isFalse();
            assertThat(only(engine.check(ORDINARY, 9)).never())
                    .as("9 and 2 are more than 10")
                    .isTrue();
            assertThat(only(engine.check(CRITICAL)).remaining()).isEqualTo(1);
            assertThat(only(engine.check(CRITICAL)).remaining()).isZero();
            assertThat(only(engine.check(CRITICAL)).allowed()).isFalse();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"10 per 1h lockout 2h", "sliding-log 10 per 1h lockout 2h"})
    default void reserve_denialBecauseOfTheReserve_startsNoLockout(String limit) {
        try (PolicyEngine engine = engine(limit)) {
            engine.check(ORDINARY, 8);
            assertThat(engine.check(ORDINARY).allowed()).isFalse();
            assertThat(engine.check(CRITICAL, 2).allowed()).isTrue();
            assertThat(engine.check(ORDINARY).retryAfterMicros())
                    .as("now the limit itself denies")
                    .isEqualTo(7_200_000_000L);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"10 per 1h", "sliding-log 10 per 1h", "fixed-window 10 per 1h"})
    default void reserve_manyThreads_keepsThePermits(String limit) {
        try (PolicyEngine engine = engine(limit)) {
            AtomicInteger admitted = new AtomicInteger();
            Thread[] threads = IntStream.range(0, 4)
                    .mapToObj(n -> new Thread(() -> {
                        for (int i = 0; i < 10; i++) {
                            admitted.addAndGet(engine.check(ORDINARY).allowed() ? 1 : 0);
                        }
                    }))
                    .toArray(Thread[]::new);
            for (Thread thread : threads) {
                thread.start();
            }
            for (Thread thread : threads) {
                join(thread);
            }
            assertThat(admitted).hasValue(8);
            assertThat(engine.check(CRITICAL, 2).allowed()).isTrue();
        }
    }

    private static void join(Thread thread) {
        try {
            thread.join();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    private static Decision only(PolicyDecision decision) {
        assertThat(decision.results()).hasSize(1);
        return decision.results().get(0).decision();
    }
}
