package io.sluice.policy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.Decision;
import io.sluice.RateLimitedException;
import io.sluice.memory.MemoryStore;
import io.sluice.testkit.ManualTime;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Requests that are decided by some of the policies, and waits for one policy. */
class PolicyEngineSelectionTest {
    private static final String POLICIES = """
            version: 1
            policies:
              - { name: all, limit: 2/h }
              - { name: per-user, key: [user], limit: 1/s }
              - { name: shadow, limit: 1/h, mode: shadow }
              - { name: kept, limit: 10/s, reserve: { share: 50%, for: { priority: high } } }
              - { name: matching, match: { path: /a }, limit: 1/h }
              - { name: closed, limit: blocked }
            """;
    private static final Map<String, String> ADA = Map.of("user", "ada");

    private final ManualTime time = new ManualTime();
    private final PolicyEngine engine = PolicyEngine.builder()
            .policies(Policies.parse(POLICIES, "test"))
            .time(time)
            .store(MemoryStore.builder().time(time).build())
            .build();

    @AfterEach
    void close() {
        engine.close();
    }

    @Test
    void only_chargesTheNamedPolicies() {
        PolicyDecision decision = engine.check(PolicySelection.only("per-user"), ADA, 1);
        assertThat(names(decision)).containsExactly("per-user");
        assertThat(engine.check(PolicySelection.only("per-user"), ADA, 1).violated())
                .containsExactly("per-user");
        assertThat(engine.check(PolicySelection.only("all"), ADA, 2).allowed()).isTrue();
    }

    @Test
    void refund_undoesWhatWasTaken_andNothingElse() {
        engine.check(PolicySelection.only("shadow"), ADA, 1);
        PolicySelection some = PolicySelection.only("all", "per-user", "shadow");
        PolicyDecision taken = engine.check(some, ADA, 1);
        assertThat(taken.allowed()).isTrue();
        PolicyDecision denied = engine.check(some, ADA, 1);
        assertThat(denied.violated()).containsExactly("per-user");
        engine.refundAsync(some, ADA, 1, denied).toCompletableFuture().join();
        assertThat(remaining(some)).containsExactly(1L, 0L, 0L);
        engine.refundAsync(some, ADA, 1, taken).toCompletableFuture().join();
        assertThat(remaining(some)).containsExactly(2L, 1L, 0L);
    }

    private List<Long> remaining(PolicySelection selection) {
        return engine.check(selection, ADA, 0).results().stream()
                .map(result -> result.decision().remaining())
                .toList();
    }

    @Test
    void except_leavesTheNamedPoliciesOut() {
        PolicyDecision decision = engine.checkAsync(PolicySelection.except(Set.of("all", "closed")), ADA, 1)
                .toCompletableFuture()
                .join();
        assertThat(names(decision)).containsExactly("per-user", "shadow", "kept");
        assertThat(decision.allowed()).isTrue();
        assertThat(PolicySelection.except(Set.of())).isSameAs(PolicySelection.all());
    }

    @Test
    void attributes_areThoseOfMatchesAndKeys() {
        assertThat(engine.attributes()).containsExactlyInAnyOrder("user", "priority", "path");
    }

    @Test
    void acquire_whenFree_takes() {
        assertThat(acquire("per-user", Duration.ZERO)).isCompleted();
        assertThat(engine.check(PolicySelection.only("per-user"), ADA, 1).allowed())
                .isFalse();
        assertThat(counters("per-user").permits()).isEqualTo(1);
    }

    @Test
    void acquire_whenEmpty_waits() {
        acquire("per-user", Duration.ZERO);
        CompletableFuture<Void> waiting = acquire("per-user", Duration.ofSeconds(1));
        assertThat(waiting).isNotDone();
        time.advance(Duration.ofSeconds(1));
        waiting.join();
    }

    @Test
    void acquire_whenTheTimeoutIsTooShort_isDeniedAtOnce() {
        acquire("per-user", Duration.ZERO);
        assertDenied(acquire("per-user", Duration.ofMillis(999)), "per-user", 1_000_000);
        assertThat(counters("per-user").denied()).isEqualTo(1);
    }

    @Test
    void acquire_cancelled_givesBack() {
        acquire("per-user", Duration.ZERO);
        acquire("per-user", Duration.ofMinutes(1)).cancel(true);
        time.advance(Duration.ofSeconds(1));
        assertThat(acquire("per-user", Duration.ZERO)).isCompleted();
    }

    @Test
    void acquire_ofPolicyThatCannotWait_answersAtOnce() {
        assertThat(acquire("shadow", Duration.ofHours(2))).isCompleted();
        assertThat(acquire("shadow", Duration.ofHours(2))).isCompleted();
        assertThat(acquire("matching", Duration.ofHours(2))).isCompleted();
        assertThat(acquire("none", Duration.ofHours(2))).isCompleted();
        assertDenied(acquire("closed", Duration.ofHours(2)), "closed", Decision.NEVER);
        for (int i = 0; i < 5; i++) {
            assertThat(acquire("kept", Duration.ofSeconds(1))).isCompleted();
        }
        assertDenied(acquire("kept", Duration.ofSeconds(1)), "kept", 100_000);
    }

    @Test
    void pause_deniesTheKey() {
        engine.pauseAsync("per-user", ADA, Duration.ofMinutes(1))
                .toCompletableFuture()
                .join();
        assertDenied(acquire("per-user", Duration.ofSeconds(59)), "per-user", 60_000_000);
        assertThat(engine.check(PolicySelection.only("per-user"), Map.of("user", "bob"), 1)
                        .allowed())
                .isTrue();
    }

    private OutcomeCounters counters(String policy) {
        return Objects.requireNonNull(engine.counters().get(policy));
    }

    private CompletableFuture<Void> acquire(String policy, Duration timeout) {
        return engine.acquireAsync(policy, ADA, 1, timeout).toCompletableFuture();
    }

    private static void assertDenied(CompletableFuture<Void> acquired, String policy, long retryAfterMicros) {
        assertThatThrownBy(acquired::join)
                .isInstanceOf(CompletionException.class)
                .cause()
                .isInstanceOfSatisfying(RateLimitedException.class, denied -> {
                    assertThat(denied.limiter()).isEqualTo(policy);
                    assertThat(denied.decision().retryAfterMicros()).isEqualTo(retryAfterMicros);
                });
    }

    private static List<String> names(PolicyDecision decision) {
        return decision.results().stream().map(PolicyResult::policy).toList();
    }
}
