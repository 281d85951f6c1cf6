package io.sluice.policy;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.redis.RedisStore;
import io.sluice.testkit.Eventually;
import io.sluice.testkit.redis.RedisProcess;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Each policy follows its {@code on-store-failure} while Redis is away. */
class PolicyEngineFailureIT {
    private static final String POLICIES = """
            - { name: allowing, match: { ask: ["*allow*"] }, limit: 3 per 1d }
            - { name: denying, match: { ask: ["*deny*"] }, limit: 3 per 1d, on-store-failure: deny }
            - { name: local, match: { ask: ["*local*"] }, limit: 3 per 1d, on-store-failure: local }
            - { name: own, match: { ask: ["*own*"] }, limit: 3 per 1d, scope: process }
            """;

    private RedisProcess redis;
    private RedisStore store;
    private PolicyEngine engine;

    @BeforeEach
    void start() {
        redis = RedisProcess.start();
        store = RedisStore.connect(redis.uri());
        engine = PolicyEngine.builder()
                .policies(EngineTests.policies(POLICIES))
                .store(store)
                .build();
        Eventually.await("Redis decides", () -> !check("allow deny local", 0).degraded());
    }

    @AfterEach
    void stop() {
        engine.close();
        store.close();
        redis.close();
    }

    private PolicyDecision check(String ask, long permits) {
        return engine.check(Map.of("ask", ask), permits);
    }

    @Test
    void storeIsAway_eachPolicyFollowsOnStoreFailure() {
        redis.kill();
        for (int i = 0; i < 5; i++) {
            PolicyDecision allowed = check("allow", 1);
            assertThat(allowed.allowed()).isTrue();
            assertThat(allowed.degraded()).isTrue();
            assertThat(allowed.results().get(0).decision().degraded()).isTrue();
            assertThat(allowed.toJson()).contains("\"degraded\":true");
        }
        PolicyDecision denied = check("allow deny", 1);
        assertThat(denied.violated()).containsExactly("denying");
        assertThat(denied.degraded()).isTrue();
        assertThat(denied.retryAfterMicros()).isPositive().isLessThan(Long.MAX_VALUE);
    }

    @Test
    void storeIsAway_localPolicy_enforcesTheShareOfThisProcess() {
        redis.kill();
        for (int i = 0; i < 3; i++) {
            assertThat(check("local", 1).allowed()).as("of 3, number %d", i).isTrue();
        }
        PolicyDecision denied = check("local allow", 1);
        assertThat(denied.violated()).containsExactly("local");
        assertThat(denied.degraded()).isTrue();
    }

    @Test
    void storeIsAway_processPolicy_stillDecides() {
        redis.kill();
        assertThat(check("own deny", 1).violated()).containsExactly("denying");
        PolicyDecision own = check("own", 2);
        assertThat(own.allowed()).isTrue();
        assertThat(own.degraded()).isFalse();
        assertThat(own.results().get(0).decision().remaining())
                .as("the denied request gave back what it took")
                .isEqualTo(1);
        assertThat(check("own allow", 1).allowed()).isTrue();
        assertThat(check("own allow", 1).violated()).containsExactly("own");
    }

    @Test
    void storeIsBack_decidesAgain() {
        redis.kill();
        assertThat(check("deny", 1).allowed()).isFalse();
        redis.restart();
        Eventually.await("Redis decides again", () -> {
            PolicyDecision decision = check("deny", 0);
            return decision.allowed() && !decision.degraded();
        });
    }
}
