package io.sluice.policy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.Limit;
import io.sluice.testkit.ManualTime;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.concurrent.CompletionException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Another limit for one key, for a while. */
class TemporaryOverrideTest {
    private static final Map<String, String> ACME = Map.of("tenant", "acme");
    private static final Map<String, String> OTHER = Map.of("tenant", "other");

    private final ManualTime time = new ManualTime();
    private final PolicyEngine engine = PolicyEngine.builder()
            .policies(Policies.parse("""
                    version: 1
                    policies:
                      - name: per-tenant
                        key: [tenant]
                        limit: fixed-window 10 per 1h from-first
                        overrides:
                          - { match: { plan: gold }, limit: fixed-window 20 per 1h from-first }
                      - { name: open, key: [tenant], limit: unlimited }
                      - { name: all, limit: 1000000/s }
                    """, "test"))
            .time(time)
            .build();

    @AfterEach
    void close() {
        engine.close();
    }

    private Instant now() {
        return Instant.EPOCH.plus(time.micros(), ChronoUnit.MICROS);
    }

    private void put(String policy, String limit, Duration life) {
        TemporaryOverride override =
                new TemporaryOverride(policy, ACME, Limit.parse(limit), now(), now().plus(life), null);
        engine.beginTemporary(override).toCompletableFuture().join();
        engine.temporaryOverrides(List.of(override));
    }

    private int admitted(Map<String, String> attributes, int requests) {
        int admitted = 0;
        for (int i = 0; i < requests; i++) {
            admitted += engine.check(attributes).allowed() ? 1 : 0;
        }
        return admitted;
    }

    @Test
    void override_holdsForItsKeyOnly_andKeepsWhatWasUsed() {
        assertThat(admitted(ACME, 4)).isEqualTo(4);
        put("per-tenant", "fixed-window 15 per 1h from-first", Duration.ofMinutes(30));

        assertThat(admitted(ACME, 100)).isEqualTo(11);
        assertThat(admitted(OTHER, 100)).isEqualTo(10);
        PolicyDecision denied = engine.check(ACME);
        assertThat(denied.violated()).containsExactly("per-tenant");
        assertThat(denied.results().get(0).limit()).isEqualTo(Limit.parse("fixed-window 15 per 1h from-first"));
    }

    @Test
    void override_endsByItself_andItsUseStays() {
        assertThat(admitted(ACME, 4)).isEqualTo(4);
        put("per-tenant", "fixed-window 100 per 1h from-first", Duration.ofMinutes(30));
        assertThat(admitted(ACME, 3)).isEqualTo(3);
        time.advance(Duration.ofMinutes(30));

        assertThat(engine.temporaryOverrides()).isEmpty();
        assertThat(admitted(ACME, 100)).as("10, less 4 before and 3 during it").isEqualTo(3);
    }

    @Test
    void override_beyondTheLimitOfThePolicy_leavesNothing() {
        put("per-tenant", "unlimited", Duration.ofMinutes(30));
        assertThat(admitted(ACME, 50)).isEqualTo(50);
        engine.temporaryOverrides(List.of());

        assertThat(admitted(ACME, 10)).isZero();
        time.advance(Duration.ofHours(1));
        assertThat(admitted(ACME, 100)).isEqualTo(10);
    }

    @Test
    void smallerOverride_deniesAtOnce_whatWasUsedIsMore() {
        assertThat(admitted(ACME, 8)).isEqualTo(8);
        put("per-tenant", "fixed-window 5 per 1h from-first", Duration.ofMinutes(30));

        assertThat(admitted(ACME, 10)).isZero();
    }

    @Test
    void override_ofAKeyInDebt_beginsWithTheWholeUse() {
        engine.charge(ACME, 25);
        put("per-tenant", "fixed-window 30 per 1h from-first", Duration.ofMinutes(30));

        assertThat(admitted(ACME, 100)).as("30, less the 25 before it").isEqualTo(5);
    }

    @Test
    void deniedRequests_underTheOverride_chargeNothingElsewhere() {
        put("per-tenant", "blocked", Duration.ofMinutes(30));
        assertThat(admitted(ACME, 10)).isZero();
        engine.temporaryOverrides(List.of());

        assertThat(admitted(ACME, 100)).isEqualTo(10);
    }

    @Test
    void anotherOverrideOfTheKey_keepsTheUseOfTheFirst() {
        put("per-tenant", "fixed-window 15 per 1h from-first", Duration.ofMinutes(30));
        assertThat(admitted(ACME, 12)).isEqualTo(12);
        put("per-tenant", "fixed-window 20 per 1h from-first", Duration.ofMinutes(30));

        assertThat(admitted(ACME, 100)).isEqualTo(8);
    }

    @Test
    void secondOverride_afterTheFirstHasEnded_beginsWithTheUseOfThePolicy() {
        put("per-tenant", "fixed-window 15 per 1h from-first", Duration.ofMinutes(1));
        assertThat(admitted(ACME, 15)).isEqualTo(15);
        time.advance(Duration.ofMinutes(61));
        assertThat(admitted(ACME, 2)).isEqualTo(2);
        put("per-tenant", "fixed-window 15 per 1h from-first", Duration.ofMinutes(1));

        assertThat(admitted(ACME, 100)).isEqualTo(13);
    }

    @Test
    void override_ofAnUnlimitedPolicy_counts() {
        put("open", "fixed-window 3 per 1h from-first", Duration.ofMinutes(30));
        assertThat(admitted(ACME, 10)).isEqualTo(3);
        assertThat(admitted(OTHER, 5)).isEqualTo(5);
    }

    @Test
    void override_holdsInsteadOfAnOverrideOfTheFileToo() {
        Map<String, String> gold = Map.of("tenant", "acme", "plan", "gold");
        put("per-tenant", "fixed-window 2 per 1h from-first", Duration.ofMinutes(30));
        assertThat(admitted(gold, 10)).isEqualTo(2);
        time.advance(Duration.ofMinutes(30));
        assertThat(admitted(gold, 100)).isEqualTo(18);
    }

    @Test
    void override_survivesNewPolicies_unlessTheKeyOfItsPolicyIsAnother() {
        put("per-tenant", "fixed-window 2 per 1h from-first", Duration.ofMinutes(30));
        engine.replace(Policies.parse("""
                version: 1
                policies:
                  - { name: per-tenant, key: [tenant], limit: fixed-window 50 per 1h from-first }
                """, "test"));
        assertThat(admitted(ACME, 10)).isEqualTo(2);
        engine.replace(Policies.parse("""
                version: 1
                policies:
                  - { name: per-tenant, key: [user], limit: fixed-window 50 per 1h from-first }
                """, "test"));
        assertThat(admitted(Map.of("user", "acme"), 10)).isEqualTo(10);
    }

    @Test
    void inspectAndExplain_showIt_andResetMakesBothFresh() {
        assertThat(admitted(ACME, 4)).isEqualTo(4);
        put("per-tenant", "fixed-window 15 per 1h from-first", Duration.ofMinutes(30));

        KeyStatus status =
                engine.inspect("per-tenant", ACME).toCompletableFuture().join().get(0);
        assertThat(status.temporary()).isNotNull();
        assertThat(status.limit()).isEqualTo(Limit.parse("fixed-window 15 per 1h from-first"));
        assertThat(status.state().remaining()).isEqualTo(11);
        String explained = engine.explain(ACME, 1).toJson(ACME, 1);
        assertThat(explained).contains("\"temporary\":{\"id\":\"", "fixed-window 10/h from-first");

        engine.reset("per-tenant", ACME).toCompletableFuture().join();
        assertThat(admitted(ACME, 5)).isEqualTo(5);
        assertThat(engine.inspect("per-tenant", ACME)
                        .toCompletableFuture()
                        .join()
                        .get(0)
                        .state()
                        .remaining())
                .isEqualTo(10);
        engine.temporaryOverrides(List.of());
        assertThat(admitted(ACME, 100)).isEqualTo(5);
    }

    @Test
    void severalRequestsDecidedTogether_useIt() {
        put("per-tenant", "fixed-window 3 per 1h from-first", Duration.ofMinutes(30));
        List<PolicyRequest> two = List.of(new PolicyRequest(ACME, 2), new PolicyRequest(OTHER, 2));
        assertThat(engine.check(two, List.of()).allowed()).isTrue();
        assertThat(engine.check(two, List.of()).allowed()).isFalse();
        assertThat(engine.check(ACME).allowed()).isTrue();
        assertThat(engine.check(ACME).allowed()).isFalse();
    }

    @Test
    void charge_byForce_isChargedToBoth() {
        put("per-tenant", "fixed-window 15 per 1h from-first", Duration.ofMinutes(30));
        engine.charge(ACME, 9);
        assertThat(admitted(ACME, 100)).isEqualTo(6);
        engine.temporaryOverrides(List.of());
        assertThat(admitted(ACME, 100)).isZero();
    }

    @Test
    void settle_answersByTheOverride_andCountsItsDebt() {
        put("per-tenant", "fixed-window 50 per 1h from-first", Duration.ofMinutes(30));
        String reservation =
                engine.reserve(ACME, 20, Duration.ofMinutes(1)).text().orElseThrow();
        PolicyDecision settled = engine.settle(reservation, 15);

        assertThat(settled.allowed()).as("the 10 of the policy do not count").isTrue();
        assertThat(settled.results().get(0).limit()).isEqualTo(Limit.parse("fixed-window 50 per 1h from-first"));
        assertThat(settled.results().get(0).decision().remaining()).isEqualTo(35);
        assertThat(debt()).isZero();

        PolicyDecision beyond = engine.settle(
                engine.reserve(ACME, 30, Duration.ofMinutes(1)).text().orElseThrow(), 42);
        assertThat(beyond.violated()).containsExactly("per-tenant");
        assertThat(debt()).as("57 of 50").isEqualTo(7);
    }

    @Test
    void settle_whileTheKeyIsUnlimitedOrBlocked_saysSo() {
        String reservation =
                engine.reserve(ACME, 10, Duration.ofMinutes(1)).text().orElseThrow();
        String other = engine.reserve(ACME, 0, Duration.ofMinutes(1)).text().orElseThrow();
        put("per-tenant", "unlimited", Duration.ofMinutes(30));
        assertThat(engine.settle(reservation, 10).allowed()).isTrue();
        put("per-tenant", "blocked", Duration.ofMinutes(30));
        assertThat(engine.settle(other, 0).violated()).containsExactly("per-tenant");
    }

    private long debt() {
        return engine.counts().requests().debt();
    }

    @Test
    void unknownPolicyOrKey_isRefused() {
        assertThatThrownBy(() -> engine.displayKey("none", ACME))
                .isInstanceOf(NoSuchElementException.class)
                .hasMessageContaining("per-tenant");
        assertThatThrownBy(() -> engine.displayKey("per-tenant", Map.of("user", "x")))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("tenant");
    }

    @Test
    void pause_ofAKeyWithAnOverride_isRefused() {
        put("per-tenant", "unlimited", Duration.ofMinutes(30));
        assertThatThrownBy(() -> engine.pause("per-tenant", ACME, Duration.ofMinutes(1))
                        .toCompletableFuture()
                        .join())
                .isInstanceOf(CompletionException.class)
                .hasCauseInstanceOf(UnsupportedOperationException.class);
        engine.temporaryOverrides(List.of());
        KeyStatus paused = engine.pause("per-tenant", ACME, Duration.ofMinutes(1))
                .toCompletableFuture()
                .join()
                .get(0);
        assertThat(paused.state().retryAfterMicros()).isEqualTo(60_000_000);
        assertThat(admitted(ACME, 1)).isZero();
        engine.reset("per-tenant", ACME).toCompletableFuture().join();
        assertThat(admitted(ACME, 1)).isEqualTo(1);
    }
}
