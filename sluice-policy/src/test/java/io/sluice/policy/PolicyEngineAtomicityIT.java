package io.sluice.policy;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.redis.RedisStore;
import io.sluice.testkit.Eventually;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** In any process, one version of the policies decides each request as a whole. */
class PolicyEngineAtomicityIT {
    private final String prefix = PolicyRedis.newPrefix();

    private static PolicyEngine.Builder engine(RedisStore store, PolicyVersions versions) {
        return PolicyEngine.builder().store(store).policies(versions.beginning());
    }

    @Test
    void replace_concurrentRequests_eachDecisionUsesOneVersion() throws Exception {
        PolicyVersions versions = PolicyVersions.all();
        try (RedisStore store = PolicyRedis.store(prefix);
                PolicyEngine engine = engine(store, versions).build()) {
            PolicyVersions.useUp(engine);
            engine.replace(versions.policies(0));
            Map<Integer, Long> seen =
                    versions.during(List.of(engine), 100, i -> engine.replace(versions.policies(i % 2)));
            assertThat(seen).containsOnlyKeys(0, 1);
        }
    }

    @Test
    void publish_twoProcesses_eachDecisionUsesOneVersion() throws Exception {
        PolicyVersions versions = PolicyVersions.all();
        try (RedisStore store = PolicyRedis.store(prefix);
                RedisStore otherStore = PolicyRedis.store(prefix);
                PolicyEngine engine = engine(store, versions).published().build();
                PolicyEngine other = engine(otherStore, versions).published().build()) {
            PolicyVersions.useUp(engine);
            PolicyVersions.useUp(other);
            engine.publish(versions.file(0), 0);
            Eventually.await("the other follows", () -> other.version() == 1);
            Map<Integer, Long> seen = versions.during(
                    List.of(engine, other), 60, i -> (i % 3 == 0 ? other : engine).publish(versions.file(i % 2), i));
            assertThat(seen).containsOnlyKeys(0, 1);
        }
    }

    @Test
    void differentFiles_twoProcesses_theLastLoadedIsInForceInBoth() {
        PolicyVersions versions = PolicyVersions.counted();
        try (RedisStore store = PolicyRedis.store(prefix);
                RedisStore otherStore = PolicyRedis.store(prefix);
                PolicyEngine engine = engine(store, versions).build();
                PolicyEngine other = engine(otherStore, versions).build()) {
            PolicyVersions.useUp(engine);
            for (int i = 0; i < 4; i++) {
                (i / 2 % 2 == 0 ? other : engine).replace(versions.policies(i % 2));
                for (PolicyEngine each : List.of(engine, other)) {
                    int version = i % 2;
                    Eventually.await("version " + version + " holds", () -> versions.decides(each, version));
                }
            }
        }
    }

    @Test
    void differentFiles_twoProcesses_eachDecisionUsesOneVersion() throws Exception {
        PolicyVersions versions = PolicyVersions.counted();
        try (RedisStore store = PolicyRedis.store(prefix);
                RedisStore otherStore = PolicyRedis.store(prefix);
                PolicyEngine engine = engine(store, versions).build();
                PolicyEngine other = engine(otherStore, versions).build()) {
            PolicyVersions.useUp(engine);
            engine.replace(versions.policies(0));
            Eventually.await("the other follows", () -> versions.decides(other, 0));
            Map<Integer, Long> seen = versions.during(
                    List.of(engine, other),
                    60,
                    i -> (i % 2 == 0 ? other : engine).replace(versions.policies(i / 2 % 2)));
            assertThat(seen).containsOnlyKeys(0, 1);
        }
    }
}
