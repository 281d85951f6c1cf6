package io.sluice.policy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.Decision;
import io.sluice.Limit;
import io.sluice.ReservationEndedException;
import io.sluice.testkit.ManualTime;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Requests whose cost is an estimate, until they are settled or cancelled. */
interface EstimateContract extends EngineTests {
    Duration MINUTE = Duration.ofMinutes(1);
    Map<String, String> ACME = Map.of("tenant", "acme");
    String BUDGET = "- { name: budget, key: [tenant], limit: fixed-window 100 per 1h from-first }\n";

    private static Decision look(PolicyEngine engine, Map<String, String> attributes, String policy) {
        return engine.check(PolicySelection.only(policy), attributes, 0)
                .results()
                .get(0)
                .decision();
    }

    private static long left(PolicyEngine engine) {
        return look(engine, ACME, "budget").remaining();
    }

    private static void join(CompletionStage<?> stage) {
        stage.toCompletableFuture().join();
    }

    @Test
    default void reservation_isSettledOrCancelled_once() {
        try (PolicyEngine engine = engine(new ManualTime(), BUDGET)) {
            PolicyReservation settled = engine.reserve(ACME, 60);
            assertThat(settled.settle(25).results().get(0).decision().remaining())
                    .isEqualTo(75);
            assertThatThrownBy(() -> settled.settle(25)).isInstanceOf(ReservationEndedException.class);
            assertThatThrownBy(settled::cancel).isInstanceOf(ReservationEndedException.class);
            assertThat(left(engine)).isEqualTo(75);

            PolicyReservation cancelled = engine.reserve(ACME, 60);
            cancelled.cancel();
            assertThatThrownBy(() -> cancelled.settle(1)).isInstanceOf(ReservationEndedException.class);
            assertThat(left(engine)).isEqualTo(75);
        }
    }

    @Test
    default void reservation_async_isSettledOrCancelled_once() {
        try (PolicyEngine engine = engine(new ManualTime(), BUDGET)) {
            PolicyReservation settled =
                    engine.reserveAsync(ACME, 60).toCompletableFuture().join();
            join(settled.settleAsync(25));
            assertThatThrownBy(() -> join(settled.cancelAsync()))
                    .isInstanceOf(CompletionException.class)
                    .hasCauseInstanceOf(ReservationEndedException.class);
            join(engine.reserveAsync(ACME, 60, MINUTE)
                    .toCompletableFuture()
                    .join()
                    .cancelAsync());
            PolicyReservation denied =
                    engine.reserveAsync(ACME, 76).toCompletableFuture().join();
            join(denied.cancelAsync());
            assertThatThrownBy(() -> join(denied.settleAsync(1))).hasCauseInstanceOf(IllegalStateException.class);
            assertThat(left(engine)).isEqualTo(75);
        }
    }

    @Test
    default void denied_leavesNothing_onAnyPolicy() {
        try (PolicyEngine engine = engine(new ManualTime(), BUDGET + """
                - { name: always, key: [tenant], limit: fixed-window 1000 per 1h from-first, charge: always }
                - { name: own, limit: 1000/d, scope: process }
                - { name: own-always, limit: 1000/d, scope: process, charge: always }
                - { name: shadow, limit: 1000/d, mode: shadow }
                - { name: shadow-always, limit: 1000/d, mode: shadow, charge: always }
                """)) {
            PolicyReservation denied = engine.reserve(ACME, 101);
            assertThat(denied.allowed()).isFalse();
            assertThat(denied.text()).isEmpty();
            for (String policy : List.of("always", "own", "own-always", "shadow", "shadow-always")) {
                assertThat(look(engine, ACME, policy).resetAfterMicros())
                        .as(policy)
                        .isZero();
            }
            denied.cancel();
            assertThatThrownBy(() -> denied.settle(1)).isInstanceOf(IllegalStateException.class);
        }
    }

    @Test
    default void policies_ofEveryKind_areSettledTogether() {
        try (PolicyEngine engine = engine(new ManualTime(), BUDGET + """
                - { name: always, key: [tenant], limit: fixed-window 50 per 1h from-first, charge: always, mode: shadow }
                - { name: own, limit: fixed-window 1000 per 1h from-first, scope: process }
                - { name: shadow, limit: fixed-window 50 per 1h from-first, mode: shadow }
                - { name: kept, limit: fixed-window 1000 per 1h from-first, reserve: { share: 10%, for: { tenant: other } } }
                - { name: free, limit: unlimited }
                """)) {
            PolicyReservation reserved = engine.reserve(ACME, 60);
            assertThat(reserved.allowed()).isTrue();
            assertThat(look(engine, ACME, "always").debt()).isEqualTo(10);
            PolicyDecision settled = reserved.settle(130);

            assertThat(settled.violated()).containsExactly("budget");
            assertThat(look(engine, ACME, "budget").debt()).isEqualTo(30);
            assertThat(look(engine, ACME, "always").debt()).isEqualTo(80);
            assertThat(look(engine, ACME, "own").remaining()).isEqualTo(870);
            assertThat(look(engine, ACME, "shadow").remaining())
                    .as("it denied, so it was never charged")
                    .isEqualTo(50);
            assertThat(look(engine, ACME, "kept").remaining()).isEqualTo(770);
        }
    }

    @Test
    default void debt_ofASettle_isCountedWhereItWasCharged() {
        try (PolicyEngine engine = engine(
                new ManualTime(),
                BUDGET + "- { name: shadow, limit: fixed-window 50 per 1h from-first, mode: shadow }\n")) {
            engine.charge(PolicySelection.only("shadow"), ACME, 80);
            PolicyReservation reserved = engine.reserve(ACME, 10);
            assertThat(reserved.allowed()).isTrue();
            reserved.settle(130);
            DecisionCounts counts = engine.counts();
            assertThat(counts.policies())
                    .extractingByKey("budget")
                    .extracting(Counts::debt)
                    .isEqualTo(30L);
            assertThat(counts.policies())
                    .extractingByKey("shadow")
                    .extracting(Counts::debt)
                    .as("it was in debt, so the estimate was not charged to it")
                    .isEqualTo(30L);
            assertThat(counts.requests().debt()).isEqualTo(60);
        }
    }

    @Test
    default void ttl_isOneSecondToOneHour() {
        ManualTime time = new ManualTime();
        try (PolicyEngine engine = engine(time, BUDGET)) {
            for (Duration ttl : List.of(
                    Duration.ZERO, Duration.ofMillis(999), Duration.ofHours(1).plusNanos(1), Duration.ofSeconds(-1))) {
                assertThatThrownBy(() -> engine.reserve(ACME, 1, ttl))
                        .isInstanceOf(IllegalArgumentException.class)
                        .hasMessage("ttl: " + ttl + " (expected: 1 s to 1 h)");
            }
            PolicyReservation shortest = engine.reserve(ACME, 10, Duration.ofSeconds(1));
            PolicyReservation longest = engine.reserve(ACME, 10, Duration.ofHours(1));
            time.advance(Duration.ofSeconds(1));
            assertThatThrownBy(() -> shortest.settle(1)).isInstanceOf(ReservationEndedException.class);
            time.advanceMicros(3_599_000_000L - 1);
            assertThat(longest.settle(1).allowed()).isTrue();
            assertThat(left(engine)).isEqualTo(89);
        }
    }

    /** Half of a surrogate pair: a program has cut a name. */
    @ParameterizedTest
    @ValueSource(strings = {"\ud83d", "cut \ud83d", "\ude00", "a,b\\", "#", "\ud83d\ude00", "\u0000", ""})
    default void key_ofAnyText_isSettled(String tenant) {
        Map<String, String> attributes = Map.of("tenant", tenant);
        try (PolicyEngine engine = engine(new ManualTime(), BUDGET)) {
            engine.reserve(attributes, 60).settle(25);
            assertThat(look(engine, attributes, "budget").remaining()).isEqualTo(75);
            PolicyReservation longKey = engine.reserve(Map.of("tenant", tenant + "x".repeat(70_000)), 60);
            assertThat(longKey.settle(1).results().get(0).decision().remaining())
                    .isEqualTo(99);
        }
    }

    /** The state of an override without a name belongs to its whole match. */
    @Test
    default void override_forManyTenants_isSettled() {
        String tenants =
                IntStream.range(0, 4000).mapToObj(i -> "enterprise-" + i).collect(Collectors.joining(", ", "[", "]"));
        try (PolicyEngine engine = engine(new ManualTime(), """
                - name: budget
                  key: [tenant]
                  limit: fixed-window 10 per 1h from-first
                  overrides: [ { match: { tenant: %s }, limit: fixed-window 100 per 1h from-first } ]
                """.formatted(tenants))) {
            Map<String, String> tenant = Map.of("tenant", "enterprise-3999");
            PolicyReservation reserved = engine.reserve(tenant, 60);
            assertThat(reserved.text().orElseThrow()).hasSizeLessThan(1000).doesNotContain(tenants);
            assertThat(reserved.settle(130).violated()).containsExactly("budget");
            assertThat(look(engine, tenant, "budget").debt()).isEqualTo(30);
            assertThatThrownBy(() -> reserved.settle(1)).isInstanceOf(ReservationEndedException.class);
        }
    }

    @Test
    default void manyPolicies_areSettled() {
        String policies = IntStream.range(0, 150)
                .mapToObj(i -> "- { name: budget-" + "x".repeat(80) + i + ", key: [tenant], limit: 100/d }\n")
                .collect(Collectors.joining());
        try (PolicyEngine engine = engine(new ManualTime(), policies)) {
            Map<String, String> tenant = Map.of("tenant", "t".repeat(190));
            PolicyDecision settled = engine.reserve(tenant, 60).settle(25);
            assertThat(settled.results())
                    .hasSize(150)
                    .allMatch(result -> result.decision().remaining() == 75);
        }
    }

    @Test
    default void limit_isReplacedBetween_theDifferenceStays() {
        try (PolicyEngine engine = engine(new ManualTime(), BUDGET)) {
            String less = engine.reserve(ACME, 60).text().orElseThrow();
            String more = engine.reserve(ACME, 10).text().orElseThrow();
            engine.replace(EngineTests.policies(BUDGET.replace("100 per 1h", "200 per 1h")));
            assertThat(engine.settle(less, 10).results().get(0).decision().remaining())
                    .isEqualTo(180);
            engine.settle(more, 230);
            assertThat(look(engine, ACME, "budget").debt()).isEqualTo(40);
        }
    }

    @Test
    default void policy_isRemovedBetween_theOthersAreSettled() {
        try (PolicyEngine engine = engine(new ManualTime(), BUDGET + "- { name: other, limit: 1000/d burst 1000 }\n")) {
            String text = engine.reserve(ACME, 60).text().orElseThrow();
            engine.replace(EngineTests.policies("- { name: other, limit: 1000/d burst 1000 }\n"));
            PolicyDecision settled = engine.settle(text, 10);
            assertThat(settled.results()).hasSize(1);
            assertThat(settled.results().get(0).decision().remaining()).isEqualTo(990);
            assertThatThrownBy(() -> engine.settle(text, 10)).isInstanceOf(ReservationEndedException.class);
        }
    }

    @Test
    default void key_isResetBetween_nothingGoesBackTwice() {
        try (PolicyEngine engine = engine(new ManualTime(), BUDGET)) {
            String less = engine.reserve(ACME, 60).text().orElseThrow();
            String more = engine.reserve(ACME, 10).text().orElseThrow();
            join(engine.reset("budget", ACME));
            engine.check(ACME, 50);
            engine.settle(less, 10);
            assertThat(left(engine)).as("the reset has forgotten the 60").isEqualTo(50);
            engine.settle(more, 30);
            assertThat(left(engine)).isEqualTo(30);
        }
    }

    @Test
    default void numbers_areAsLargeAsCanBe() {
        try (PolicyEngine engine = engine(new ManualTime(), BUDGET)) {
            assertThat(engine.reserve(ACME, Long.MAX_VALUE).allowed()).isFalse();
            PolicyReservation reserved = engine.reserve(ACME, 0);
            assertThat(reserved.settle(Long.MAX_VALUE).allowed()).isFalse();
            assertThat(look(engine, ACME, "budget").debt()).isGreaterThan(1L << 49);
            assertThatThrownBy(() -> engine.reserve(ACME, -1)).hasMessageContaining("-1");
            assertThatThrownBy(() -> reserved.settle(-1)).hasMessageContaining("-1");
        }
    }

    @Test
    default void texts_ofOtherStoresAndChangedOnes_changeNothing() {
        ManualTime time = new ManualTime();
        try (PolicyEngine engine = engine(time, BUDGET);
                PolicyEngine other = engine(time, BUDGET)) {
            String text = engine.reserve(ACME, 60).text().orElseThrow();
            String ofOther = other.reserve(ACME, 60).text().orElseThrow();
            assertThatThrownBy(() -> engine.settle(ofOther, 1)).isInstanceOf(ReservationEndedException.class);
            for (int i = 0; i < text.length(); i++) {
                String changed = text.substring(0, i) + (text.charAt(i) == 'B' ? 'C' : 'B') + text.substring(i + 1);
                assertThatThrownBy(() -> engine.settle(changed, 1))
                        .as(changed)
                        .isInstanceOfAny(ReservationEndedException.class, IllegalArgumentException.class);
            }
            assertThat(left(engine)).isEqualTo(40);
            engine.settle(text, 1);
            other.settle(ofOther, 2);
            assertThat(left(engine)).isEqualTo(99);
            assertThat(left(other)).isEqualTo(98);
        }
    }

    @Test
    default void temporaryOverride_beginsBetween_countsWhatWasReallyUsed() {
        ManualTime time = new ManualTime();
        try (PolicyEngine engine = engine(time, BUDGET)) {
            String less = engine.reserve(ACME, 60).text().orElseThrow();
            String more = engine.reserve(ACME, 10).text().orElseThrow();
            begin(engine, time, "fixed-window 1000 per 1h from-first");
            assertThat(left(engine)).isEqualTo(930);
            assertThat(engine.settle(less, 10).results().get(0).decision().remaining())
                    .isEqualTo(980);
            assertThat(engine.settle(more, 130).results().get(0).decision().remaining())
                    .isEqualTo(860);
            assertThat(left(engine)).isEqualTo(860);
            engine.temporaryOverrides(List.of());
            assertThat(look(engine, ACME, "budget").debt()).isEqualTo(40);
        }
    }

    @Test
    default void temporaryOverride_endsBetween_thePolicyCountsWhatWasReallyUsed() {
        ManualTime time = new ManualTime();
        try (PolicyEngine engine = engine(time, BUDGET)) {
            begin(engine, time, "fixed-window 1000 per 1h from-first");
            String less = engine.reserve(ACME, 60).text().orElseThrow();
            String more = engine.reserve(ACME, 10).text().orElseThrow();
            engine.temporaryOverrides(List.of());
            assertThat(engine.settle(less, 10).results().get(0).decision().remaining())
                    .isEqualTo(80);
            engine.settle(more, 130);
            assertThat(look(engine, ACME, "budget").debt()).isEqualTo(40);
        }
    }

    private static void begin(PolicyEngine engine, ManualTime time, String limit) {
        Instant now = Instant.EPOCH.plusNanos(time.micros() * 1000);
        TemporaryOverride override =
                new TemporaryOverride("budget", ACME, Limit.parse(limit), now, now.plus(Duration.ofMinutes(30)), null);
        join(engine.beginTemporary(override));
        engine.temporaryOverrides(List.of(override));
    }
}
