package io.sluice.policy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.Limit;
import io.sluice.LimiterOptions;
import io.sluice.OnFailure;
import io.sluice.memory.MemoryStore;
import io.sluice.spi.EditionConflictException;
import io.sluice.spi.LimiterSpec;
import io.sluice.testkit.ManualTime;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Invalid editions, and limits that another process has changed. */
class PolicyEngineEditionsTest {
    private final ManualTime time = new ManualTime();
    private final MemoryStore store = MemoryStore.builder().time(time).build();

    private static String policy(String limit) {
        return "version: 1\npolicies:\n  - { name: a, limit: " + limit + " }\n";
    }

    private PolicyEngine.Builder engine(String limit) {
        return PolicyEngine.builder().store(store).time(time).policies(Policies.parse(policy(limit), "test.yaml"));
    }

    @Test
    void build_latestEditionIsInvalid_startsWithOwnPolicies() {
        store.publication("policies").publish("version: 9\n", 0);
        try (PolicyEngine engine = engine("5/h").published().build()) {
            assertThat(engine.version()).isZero();
            assertThat(engine.edition()).isEqualTo(1);
            assertThat(engine.check(Map.of(), 6).allowed()).isFalse();
            assertThatThrownBy(() -> engine.publish(policy("7/h"), engine.version()))
                    .isInstanceOf(EditionConflictException.class);
            assertThat(engine.publish(policy("7/h"), engine.edition())).isEqualTo(2);
            assertThat(engine.version()).isEqualTo(2);
            assertThat(engine.check(Map.of(), 6).allowed()).isTrue();
        }
    }

    @Test
    void checkAsync_limitChangedByAnotherProcess_usesTheLimitInForce() {
        PolicyEngine engine = engine("5/h").build();
        store.enforce(List.of(new LimiterSpec("a", LimiterOptions.onFailure(OnFailure.ALLOW), Limit.parse("8/h"))));
        engine.close();
        PolicyDecision decision =
                engine.checkAsync(Map.of(), 6).toCompletableFuture().join();
        assertThat(decision.allowed()).isTrue();
        assertThat(decision.results().get(0).limit()).isEqualTo(Limit.parse("8/h"));
        assertThat(decision.results().get(0).decision().remaining()).isEqualTo(2);
    }

    @Test
    void policies_duplicateName_areRefused() {
        Policy policy = Policies.parse(policy("5/h"), "test.yaml").policies().get(0);
        assertThatThrownBy(() -> new Policies(List.of(policy, policy), List.of(), List.of()))
                .hasMessage("policy \"a\" a second time (expected: every name once)");
    }
}
