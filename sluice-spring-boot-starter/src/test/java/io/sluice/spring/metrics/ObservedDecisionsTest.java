package io.sluice.spring.metrics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.micrometer.common.KeyValues;
import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationHandler;
import io.micrometer.observation.ObservationRegistry;
import io.sluice.Decision;
import io.sluice.Limit;
import io.sluice.policy.Mode;
import io.sluice.policy.PolicyDecision;
import io.sluice.policy.PolicyResult;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.Test;

class ObservedDecisionsTest {
    private static final Limit LIMIT = Limit.parse("2/h");

    private final ObservationRegistry registry = ObservationRegistry.create();
    private final Stopped stopped = new Stopped();
    private final ObservedDecisions observer = new ObservedDecisions(registry, null);

    ObservedDecisionsTest() {
        registry.observationConfig().observationHandler(stopped);
    }

    /** Remembers what has stopped. */
    private static final class Stopped implements ObservationHandler<Observation.Context> {
        private final List<Observation.Context> contexts = new ArrayList<>();

        @Override
        public void onStop(Observation.Context context) {
            contexts.add(context);
        }

        @Override
        public boolean supportsContext(Observation.Context context) {
            return true;
        }

        Observation.Context only() {
            assertThat(contexts).hasSize(1);
            return contexts.get(0);
        }
    }

    private static PolicyResult result(String policy, Mode mode, Decision decision) {
        return new PolicyResult(policy, Map.of(), LIMIT, mode, decision);
    }

    private static Decision allowed() {
        return Decision.allowed(1, 0, 0);
    }

    private static Decision denied() {
        return Decision.denied(0, 1, 1);
    }

    private static KeyValues values(String surface, String policy, String outcome) {
        return KeyValues.of("surface", surface, "policy", policy, "outcome", outcome);
    }

    private KeyValues observed(PolicyDecision decision) {
        stopped.contexts.clear();
        assertThat(observer.observe("web", () -> decision)).isSameAs(decision);
        return stopped.only().getLowCardinalityKeyValues();
    }

    @Test
    void decision_isObservedWithItsNameAndOutcome() {
        assertThat(observed(PolicyDecision.of(result("a", Mode.ENFORCE, allowed()))))
                .containsExactlyInAnyOrderElementsOf(values("web", "none", "allowed"));
        assertThat(stopped.only().getName()).isEqualTo("sluice.decision");
        assertThat(stopped.only().getContextualName()).isEqualTo("sluice decision");

        assertThat(observed(PolicyDecision.of(
                        result("a", Mode.ENFORCE, allowed()),
                        result("b", Mode.ENFORCE, denied()),
                        result("c", Mode.ENFORCE, denied()))))
                .containsExactlyInAnyOrderElementsOf(values("web", "b", "denied"));
        assertThat(observed(PolicyDecision.of(result("a", Mode.SHADOW, denied()))))
                .containsExactlyInAnyOrderElementsOf(values("web", "none", "shadow-denied"));
        assertThat(observed(PolicyDecision.of(result("a", Mode.ENFORCE, new Decision(true, 1, 0, 0, 0, true)))))
                .containsExactlyInAnyOrderElementsOf(values("web", "none", "degraded"));
    }

    @Test
    void decision_isMadeInTheScopeOfTheObservation() {
        List<Observation> current = new ArrayList<>();
        observer.observe("method", () -> {
            current.add(registry.getCurrentObservation());
            return PolicyDecision.of();
        });
        observer.observeAsync("method", () -> {
            current.add(registry.getCurrentObservation());
            return CompletableFuture.completedFuture(PolicyDecision.of());
        });
        assertThat(current).hasSize(2).doesNotContainNull();
        assertThat(registry.getCurrentObservation()).isNull();
    }

    @Test
    void failure_isObservedAndThrown() {
        IllegalStateException failure = new IllegalStateException("no");
        assertThatThrownBy(() -> observer.observe("web", () -> {
                    throw failure;
                }))
                .isSameAs(failure);
        assertThat(stopped.only().getError()).isSameAs(failure);
        assertThat(stopped.only().getLowCardinalityKeyValues())
                .containsExactlyInAnyOrderElementsOf(values("web", "none", "none"));

        assertThatThrownBy(() -> observer.observeAsync("web", () -> {
                    throw failure;
                }))
                .isSameAs(failure);
        assertThat(stopped.contexts).hasSize(2);
    }

    @Test
    void async_returnsTheSameStageAndStopsWhenItCompletes() {
        CompletableFuture<PolicyDecision> future = new CompletableFuture<>();
        CompletionStage<PolicyDecision> stage = observer.observeAsync("client", () -> future);
        assertThat(stage).isSameAs(future);
        assertThat(stopped.contexts).isEmpty();
        assertThat(registry.getCurrentObservation()).isNull();

        future.complete(PolicyDecision.of(result("a", Mode.ENFORCE, denied())));

        assertThat(stopped.only().getLowCardinalityKeyValues())
                .containsExactlyInAnyOrderElementsOf(values("client", "a", "denied"));
    }

    @Test
    void async_cancelled_stopsWithoutAnError() {
        CompletableFuture<PolicyDecision> future = new CompletableFuture<>();
        observer.observeAsync("web", () -> future).toCompletableFuture().cancel(false);
        assertThat(stopped.only().getError()).isNull();
        assertThat(stopped.only().getLowCardinalityKeyValues())
                .containsExactlyInAnyOrderElementsOf(values("web", "none", "none"));
    }

    @Test
    void async_failed_stopsWithTheError() {
        IllegalStateException failure = new IllegalStateException("no");
        observer.observeAsync("web", () -> CompletableFuture.failedFuture(failure));
        assertThat(stopped.only().getError()).isSameAs(failure);
    }

    @Test
    void predicate_switchesItOff() {
        registry.observationConfig().observationPredicate((name, context) -> !name.startsWith("sluice"));
        CompletableFuture<PolicyDecision> future = CompletableFuture.completedFuture(PolicyDecision.of());
        assertThat(observer.observe("web", PolicyDecision::of).allowed()).isTrue();
        assertThat(observer.observeAsync("web", () -> future)).isSameAs(future);
        assertThat(stopped.contexts).isEmpty();
    }

    @Test
    void noopRegistry_onlyDecides() {
        ObservedDecisions off = new ObservedDecisions(ObservationRegistry.NOOP, null);
        CompletableFuture<PolicyDecision> future = CompletableFuture.completedFuture(PolicyDecision.of());
        assertThat(off.observe("web", PolicyDecision::of).allowed()).isTrue();
        assertThat(off.observeAsync("web", () -> future)).isSameAs(future);
    }

    @Test
    void convention_ofTheApplication_isUsed() {
        ObservedDecisions named = new ObservedDecisions(registry, new DecisionObservationConvention() {
            @Override
            public String getName() {
                return "limits";
            }

            @Override
            public KeyValues getLowCardinalityKeyValues(DecisionContext context) {
                return DecisionObservationConvention.super
                        .getLowCardinalityKeyValues(context)
                        .and("region", "eu");
            }
        });
        named.observe("web", PolicyDecision::of);
        assertThat(stopped.only().getName()).isEqualTo("limits");
        assertThat(stopped.only().getLowCardinalityKeyValues())
                .containsAll(values("web", "none", "allowed").and("region", "eu"));
    }
}
