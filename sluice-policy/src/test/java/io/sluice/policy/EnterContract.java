package io.sluice.policy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.Decision;
import io.sluice.HoldEndedException;
import io.sluice.testkit.ManualTime;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Policies that limit concurrency: requests enter and leave. */
interface EnterContract extends EngineTests {
    Map<String, String> REQUEST = Map.of("tenant", "acme");
    String IN_FLIGHT = "- { name: in-flight, key: [tenant], limit: concurrency 2 hold 30s }\n";

    private static Decision of(PolicyDecision decision, String policy) {
        return decision.results().stream()
                .filter(result -> result.policy().equals(policy))
                .findFirst()
                .orElseThrow()
                .decision();
    }

    /** The free permits, by a look. */
    private static long free(PolicyEngine engine, String policy) {
        return of(engine.check(REQUEST, 0), policy).remaining();
    }

    private static String held(EnteredRequest entered) {
        return entered.holds().orElseThrow();
    }

    @Test
    default void enter_holdsOnePermit_whateverItAsks_untilItCloses() {
        try (PolicyEngine engine =
                engine(new ManualTime(), IN_FLIGHT + "- { name: rate, limit: fixed-window 10 per 1h from-first }\n")) {
            PolicyPermit permit = engine.enter(REQUEST, 4);
            assertThat(permit.allowed()).isTrue();
            assertThat(permit.isHeld()).isTrue();
            assertThat(of(permit.decision(), "in-flight").remaining()).isEqualTo(1);
            assertThat(of(permit.decision(), "rate").remaining()).isEqualTo(6);
            permit.close();
            permit.close();
            assertThat(permit.isHeld()).isFalse();
            assertThat(free(engine, "in-flight")).isEqualTo(2);
            assertThat(free(engine, "rate")).as("stays used").isEqualTo(6);
            assertThat(engine.counters())
                    .hasEntrySatisfying(
                            "in-flight",
                            counters -> assertThat(counters.permits()).isEqualTo(1));
        }
    }

    @Test
    default void enter_full_isDenied_andChargesNothing() {
        ManualTime time = new ManualTime();
        try (PolicyEngine engine =
                engine(time, IN_FLIGHT + "- { name: rate, limit: fixed-window 10 per 1h from-first }\n")) {
            EnteredRequest first = engine.hold(REQUEST, 1);
            time.advance(Duration.ofSeconds(10));
            engine.hold(REQUEST, 1);
            EnteredRequest denied = engine.hold(REQUEST, 1);

            assertThat(denied.decision().violated()).containsExactly("in-flight");
            assertThat(denied.holds()).isEmpty();
            assertThat(denied.decision().retryAfter())
                    .as("the first lapses in 20 s")
                    .isEqualTo(Duration.ofSeconds(20));
            assertThat(free(engine, "rate")).isEqualTo(8);

            engine.release(held(first));
            assertThat(engine.hold(REQUEST, 1).decision().allowed()).isTrue();
        }
    }

    @Test
    default void enter_rateDenies_holdsNothing() {
        try (PolicyEngine engine =
                engine(new ManualTime(), IN_FLIGHT + "- { name: rate, limit: fixed-window 10 per 1h from-first }\n")) {
            PolicyPermit denied = engine.enter(REQUEST, 11);
            assertThat(denied.allowed()).isFalse();
            assertThat(denied.isHeld()).isFalse();
            denied.close();
            assertThat(free(engine, "in-flight")).isEqualTo(2);
        }
    }

    @Test
    default void hold_notRenewed_lapsesExactlyAtItsEnd() {
        ManualTime time = new ManualTime();
        try (PolicyEngine engine = engine(time, IN_FLIGHT)) {
            EnteredRequest first = engine.hold(REQUEST, 1);
            EnteredRequest second = engine.hold(REQUEST, 1);
            assertThat(first.renewEvery()).isEqualTo(Duration.ofSeconds(10));
            time.advance(Duration.ofSeconds(30).minusNanos(1000));
            assertThat(free(engine, "in-flight")).isZero();
            engine.renew(held(second));
            time.advance(Duration.ofNanos(1000));
            assertThat(free(engine, "in-flight")).isEqualTo(1);

            assertThatThrownBy(() -> engine.release(held(first))).isInstanceOf(HoldEndedException.class);
            assertThatThrownBy(() -> engine.renew(held(first))).isInstanceOf(HoldEndedException.class);
            engine.release(held(second));
            assertThatThrownBy(() -> engine.release(held(second))).isInstanceOf(HoldEndedException.class);
            assertThat(free(engine, "in-flight")).isEqualTo(2);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "x", "1..", "2.AAAA.", "1.AAAA", "1.A!.", "1.é."})
    default void release_ofATextThatNamesNothing_isRefused(String text) {
        try (PolicyEngine engine = engine(new ManualTime(), IN_FLIGHT)) {
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> engine.release(text))
                    .withMessageContaining("(expected: ");
            assertThatIllegalArgumentException().isThrownBy(() -> engine.renew(text));
        }
    }

    @Test
    default void check_charge_reserve_doNotApplyThePolicy_andAreCounted() {
        try (PolicyEngine engine =
                engine(new ManualTime(), IN_FLIGHT + "- { name: rate, limit: fixed-window 10 per 1h from-first }\n")) {
            for (int i = 0; i < 3; i++) {
                assertThat(engine.check(REQUEST).results())
                        .extracting(PolicyResult::policy)
                        .containsExactly("rate");
            }
            engine.charge(REQUEST, 1);
            engine.reserve(REQUEST, 1).cancel();
            engine.check(List.of(new PolicyRequest(REQUEST, 1)), List.of());
            assertThat(engine.check(List.of(new PolicyRequest(REQUEST, 0)), List.of())
                            .each()
                            .get(0)
                            .results())
                    .extracting(PolicyResult::policy)
                    .containsExactly("rate");
            assertThat(free(engine, "in-flight")).isEqualTo(2);
            assertThat(free(engine, "rate")).isEqualTo(5);
            assertThat(engine.counters())
                    .hasEntrySatisfying("in-flight", counters -> {
                        assertThat(counters.skipped()).isEqualTo(6);
                        assertThat(counters.allowed()).isZero();
                    })
                    .hasEntrySatisfying(
                            "rate", counters -> assertThat(counters.skipped()).isZero());
        }
    }

    @Test
    default void acquire_doesNotApplyThePolicy_onceForEachCall() {
        try (PolicyEngine engine = engine(new ManualTime(), IN_FLIGHT)) {
            engine.acquireAsync("in-flight", REQUEST, 1, Duration.ZERO)
                    .toCompletableFuture()
                    .join();
            assertThat(engine.counters())
                    .hasEntrySatisfying(
                            "in-flight",
                            counters -> assertThat(counters.skipped()).isEqualTo(1));
        }
    }

    @Test
    default void nothing_isALook() {
        try (PolicyEngine engine = engine(new ManualTime(), IN_FLIGHT)) {
            PolicyPermit look = engine.enter(REQUEST, 0);
            assertThat(look.isHeld()).isFalse();
            assertThat(of(look.decision(), "in-flight").remaining()).isEqualTo(2);
            assertThat(engine.counters())
                    .hasEntrySatisfying(
                            "in-flight",
                            counters -> assertThat(counters.skipped()).isZero());
        }
    }

    @Test
    default void reserve_keepsPermitsForCriticalRequests() {
        Map<String, String> critical = Map.of("tenant", "acme", "priority", "critical");
        try (PolicyEngine engine = engine(new ManualTime(), """
                - name: in-flight
                  limit: concurrency 4
                  reserve: { share: 50%, for: { priority: critical } }
                """)) {
            assertThat(engine.hold(REQUEST, 1).decision().allowed()).isTrue();
            EnteredRequest second = engine.hold(REQUEST, 1);
            assertThat(of(second.decision(), "in-flight").remaining()).isZero();
            assertThat(engine.hold(REQUEST, 9).decision().allowed()).isFalse();
            assertThat(engine.hold(critical, 9).decision().allowed()).isTrue();
            assertThat(engine.hold(critical, 1).decision().allowed()).isTrue();
            assertThat(engine.hold(critical, 1).decision().allowed()).isFalse();
        }
    }

    @Test
    default void shadow_neverDenies_andHoldsWhatItWouldAllow() {
        try (PolicyEngine engine =
                engine(new ManualTime(), "- { name: in-flight, limit: concurrency 1, mode: shadow }\n")) {
            EnteredRequest first = engine.hold(REQUEST, 1);
            EnteredRequest second = engine.hold(REQUEST, 1);
            assertThat(second.decision().allowed()).isTrue();
            assertThat(of(second.decision(), "in-flight").allowed()).isFalse();
            assertThat(second.holds()).isEmpty();
            engine.release(held(first));
            assertThat(free(engine, "in-flight")).isEqualTo(1);
        }
    }

    @Test
    default void overrides_mayHaveAnotherNumberOrAnotherAlgorithm() {
        try (PolicyEngine engine = engine(new ManualTime(), """
                - name: in-flight
                  key: [tenant]
                  limit: concurrency 1
                  overrides:
                    - { match: { tenant: big }, limit: concurrency 2 }
                    - { match: { tenant: ops }, limit: unlimited }
                    - { match: { tenant: rated }, limit: fixed-window 3 per 1h from-first }
                """)) {
            for (Map.Entry<String, Integer> most :
                    Map.of("acme", 1, "big", 2, "rated", 3).entrySet()) {
                Map<String, String> request = Map.of("tenant", most.getKey());
                for (int i = 0; i < most.getValue(); i++) {
                    assertThat(engine.hold(request, 1).decision().allowed()).isTrue();
                }
                assertThat(engine.hold(request, 1).decision().allowed()).isFalse();
            }
            assertThat(engine.hold(Map.of("tenant", "ops"), 1).holds()).isEmpty();
            assertThat(engine.check(Map.of("tenant", "rated")).violated()).containsExactly("in-flight");
        }
    }

    @Test
    default void severalPolicies_areHeldTogether_onBothScopes() {
        try (PolicyEngine engine = engine(new ManualTime(), """
                - { name: all, limit: concurrency 3 }
                - { name: tenant, key: [tenant], limit: concurrency 2 hold 3s }
                - { name: own, limit: concurrency 2, scope: process }
                - { name: rate, limit: fixed-window 10 per 1h from-first, scope: process }
                """)) {
            EnteredRequest first = engine.hold(REQUEST, 1);
            assertThat(first.renewEvery()).isEqualTo(Duration.ofSeconds(1));
            engine.hold(REQUEST, 1);
            EnteredRequest denied = engine.hold(REQUEST, 1);
            assertThat(denied.decision().violated()).containsExactly("tenant", "own");
            assertThat(free(engine, "all")).isEqualTo(1);
            assertThat(free(engine, "rate")).isEqualTo(8);
            engine.renew(held(first));
            engine.release(held(first));
            assertThat(List.of(free(engine, "all"), free(engine, "tenant"), free(engine, "own")))
                    .containsExactly(2L, 1L, 1L);
            assertThatThrownBy(() -> engine.renew(held(first))).isInstanceOf(HoldEndedException.class);
            assertThatThrownBy(() -> engine.release(held(first))).isInstanceOf(HoldEndedException.class);
        }
    }

    @Test
    default void oneHasLapsed_nothingIsRenewed_onBothScopes() {
        ManualTime time = new ManualTime();
        try (PolicyEngine engine = engine(time, """
                - { name: short, limit: concurrency 3 hold 3s }
                - { name: own, limit: concurrency 3 hold 30s, scope: process }
                """)) {
            EnteredRequest entered = engine.hold(REQUEST, 1);
            time.advance(Duration.ofSeconds(4));
            assertThatThrownBy(() -> engine.renew(held(entered))).isInstanceOf(HoldEndedException.class);
            time.advance(Duration.ofSeconds(25));
            assertThat(free(engine, "own")).isEqualTo(2);
            time.advance(Duration.ofSeconds(1));
            assertThat(free(engine, "own")).as("30 s after it entered").isEqualTo(3);
        }
    }

    @Test
    default void textThatIsChanged_changesNothing_onBothScopes() {
        try (PolicyEngine engine = engine(new ManualTime(), """
                - { name: shared, limit: concurrency 3 }
                - { name: own, limit: concurrency 3, scope: process }
                """)) {
            String holds = held(engine.hold(REQUEST, 1));
            for (String changed : List.of(holds + "x", holds + "AA", holds.replaceFirst("\\.", ".AAAAAA"))) {
                assertThatThrownBy(() -> engine.renew(changed)).isInstanceOf(IllegalArgumentException.class);
                assertThatThrownBy(() -> engine.release(changed)).isInstanceOf(IllegalArgumentException.class);
            }
            assertThat(List.of(free(engine, "shared"), free(engine, "own"))).containsExactly(2L, 2L);
            engine.release(holds);
            assertThat(List.of(free(engine, "shared"), free(engine, "own"))).containsExactly(3L, 3L);
        }
    }

    @Test
    default void sharedDenies_theProcessHoldsNothing() {
        try (PolicyEngine engine = engine(new ManualTime(), """
                - { name: shared, limit: concurrency 1 }
                - { name: own, limit: concurrency 2, scope: process }
                - { name: rate, limit: fixed-window 10 per 1h from-first, scope: process }
                """)) {
            engine.hold(REQUEST, 1);
            EnteredRequest denied = engine.hold(REQUEST, 1);
            assertThat(denied.decision().violated()).containsExactly("shared");
            assertThat(of(denied.decision(), "own").remaining()).isEqualTo(1);
            assertThat(free(engine, "own")).isEqualTo(1);
            assertThat(free(engine, "rate")).isEqualTo(9);
        }
    }

    @Test
    default void blockedPolicy_holdsNothing() {
        try (PolicyEngine engine = engine(new ManualTime(), IN_FLIGHT + "- { name: closed, limit: blocked }\n")) {
            assertThat(engine.hold(REQUEST, 1).decision().violated()).containsExactly("closed");
            assertThat(free(engine, "in-flight")).isEqualTo(2);
        }
    }

    @Test
    default void cancelledStage_givesEverythingBack() {
        try (PolicyEngine engine =
                engine(new ManualTime(), IN_FLIGHT + "- { name: rate, limit: fixed-window 10 per 1h from-first }\n")) {
            for (int i = 0; i < 20; i++) {
                engine.enterAsync(REQUEST, 1).toCompletableFuture().cancel(false);
                engine.holdAsync(REQUEST, 1)
                        .toCompletableFuture()
                        .thenAccept(entered -> entered.holds().ifPresent(engine::releaseAsync));
            }
            assertThat(engine.enterAsync(REQUEST, 0)
                            .toCompletableFuture()
                            .join()
                            .allowed())
                    .isTrue();
        }
    }

    @Test
    default void enterAsyncWithATimeout_waitsUntilAnotherLeaves() {
        try (PolicyEngine engine = engine(new ManualTime(), "- { name: in-flight, limit: concurrency 1 }\n")) {
            PolicyPermit first = engine.enter(REQUEST);
            CompletableFuture<PolicyPermit> second = engine.enterAsync("in-flight", REQUEST, 5, Duration.ofSeconds(20))
                    .toCompletableFuture();
            assertThat(second).isNotDone();
            first.close();
            PolicyPermit permit = second.join();
            assertThat(permit.isHeld()).isTrue();
            assertThat(free(engine, "in-flight")).isZero();
            permit.close();
            assertThat(free(engine, "in-flight")).isEqualTo(1);
        }
    }

    @Test
    default void reset_forgetsWhatIsHeld_andPauseDenies() {
        try (PolicyEngine engine = engine(new ManualTime(), IN_FLIGHT)) {
            EnteredRequest entered = engine.hold(REQUEST, 1);
            engine.reset(REQUEST).toCompletableFuture().join();
            assertThat(free(engine, "in-flight")).isEqualTo(2);
            assertThatThrownBy(() -> engine.release(held(entered))).isInstanceOf(HoldEndedException.class);

            engine.pauseAsync("in-flight", REQUEST, Duration.ofMinutes(5))
                    .toCompletableFuture()
                    .join();
            assertThat(engine.hold(REQUEST, 1).decision().retryAfter()).isEqualTo(Duration.ofMinutes(5));
        }
    }

    @Test
    default void replace_carriesWhatIsHeld() {
        try (PolicyEngine engine = engine(new ManualTime(), IN_FLIGHT)) {
            EnteredRequest entered = engine.hold(REQUEST, 1);
            engine.replace(
                    EngineTests.policies("- { name: in-flight, key: [tenant], limit: concurrency 1 hold 1m }\n"));
            assertThat(engine.hold(REQUEST, 1).decision().allowed()).isFalse();
            engine.release(held(entered));
            assertThat(engine.hold(REQUEST, 1).decision().allowed()).isTrue();

            engine.replace(EngineTests.policies("- { name: in-flight, key: [tenant], limit: 1/h }\n"));
            assertThat(engine.hold(REQUEST, 1).decision().allowed())
                    .as("carries nothing to another algorithm")
                    .isTrue();
        }
    }

    @Test
    default void explainAndInspect_showWhatIsFree() {
        try (PolicyEngine engine = engine(new ManualTime(), IN_FLIGHT)) {
            engine.hold(REQUEST, 1);
            assertThat(engine.explain(REQUEST, 7).toString())
                    .contains(
                            "limit    concurrency 2 hold 30s",
                            "holds    one permit, until the request leaves",
                            "now      allowed, 1 remaining");
            assertThat(engine.inspect(REQUEST).toCompletableFuture().join())
                    .extracting(status -> status.state().remaining())
                    .containsExactly(1L);
        }
    }
}
