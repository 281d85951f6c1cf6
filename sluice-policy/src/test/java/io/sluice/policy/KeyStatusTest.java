package io.sluice.policy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.memory.MemoryStore;
import io.sluice.testkit.ManualTime;
import java.time.Duration;
import java.time.OffsetDateTime;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;
import org.junit.jupiter.api.Test;

/** Inspection and reset of keys; {@code sluice-server} tests the rest over HTTP. */
class KeyStatusTest {
    private final ManualTime time = new ManualTime();
    private final PolicyEngine engine =
            EngineTests.engine(MemoryStore.builder().time(time).build(), time, """
              - name: kept
                key: [t]
                limit: sliding-log 10 per 1h
                reserve: { share: 20%, for: { p: high } }
              - { name: seen, key: [t], limit: sliding-log 3 per 1h, mode: shadow, scope: process }
              - { name: shut, match: { t: x }, limit: blocked }
            """);

    private List<KeyStatus> inspect(Map<String, String> attributes) {
        return engine.inspect(attributes).toCompletableFuture().join();
    }

    @Test
    void inspect_reserve_subtractsTheKeptPermits() {
        engine.check(Map.of("t", "a"), 3);
        assertThat(inspect(Map.of("t", "a")))
                .extracting(each -> each.state().remaining())
                .containsExactly(5L, 0L);
        assertThat(inspect(Map.of("t", "a", "p", "high")).get(0).state().remaining())
                .isEqualTo(7);
        assertThat(engine.inspect("kept", Map.of("t", "a"))
                        .toCompletableFuture()
                        .join()
                        .get(0)
                        .state()
                        .remaining())
                .as("all there is")
                .isEqualTo(7);
    }

    @Test
    void inspect_limitOfTheCalendar_hasItsPresentWindow() {
        engine.replace(Policies.parse("""
                version: 1
                policies:
                  - { name: day, limit: fixed-window 10 per day zone America/New_York }
                  - { name: hour, limit: fixed-window 10 per 1h }
                """, "test.yaml"));
        assertThat(inspect(Map.of()))
                .extracting(KeyStatus::window)
                .containsExactly(
                        new CurrentWindow(
                                OffsetDateTime.parse("2025-12-31T00:00:00-05:00"),
                                OffsetDateTime.parse("2026-01-01T00:00:00-05:00")),
                        null);
    }

    @Test
    void inspect_neverAllowed_returnsNever() {
        KeyStatus shut = inspect(Map.of("t", "x")).get(2);
        assertThat(shut.state().never()).isTrue();
        assertThat(shut.retryAfter()).isEqualTo(ChronoUnit.FOREVER.getDuration());
        assertThat(shut.delay()).isZero();
        engine.check(Map.of("t", "b"), 8);
        assertThat(inspect(Map.of("t", "b")).get(0).resetAfter()).isEqualTo(Duration.ofHours(1));
        assertThat(engine.reset("shut", Map.of()).toCompletableFuture().join()).containsExactly(shut);
    }

    @Test
    void reset_isSeenByTheNextDecision() {
        engine.check(Map.of("t", "a"), 8);
        assertThat(engine.check(Map.of("t", "a")).allowed()).isFalse();
        engine.reset(Map.of("t", "a")).toCompletableFuture().join();
        assertThat(engine.check(Map.of("t", "a")).allowed()).isTrue();
        assertThat(engine.counts().policies().get("kept")).isEqualTo(new Counts(2, 1, 0, 0));
        assertThat(engine.counts().requests().total()).isEqualTo(3);
    }

    @Test
    void inspect_unknownPolicy_isRefused() {
        assertThatThrownBy(() -> engine.inspect("nope", Map.of()))
                .isInstanceOf(NoSuchElementException.class)
                .hasMessage("policy: \"nope\" (expected: one of kept, seen, shut)");
    }
}
