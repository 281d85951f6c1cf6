package io.sluice.server.ops;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.policy.Policies;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

class ReadinessTest {
    private static final Policies POLICIES = Policies.parse("""
            version: 1
            policies:
              - { name: allows, limit: 1/s }
              - { name: denies, limit: 1/s, on-store-failure: deny }
              - { name: local, limit: 1/s, on-store-failure: local }
              - { name: shadow, limit: 1/s, on-store-failure: deny, mode: shadow }
              - { name: switched-off, limit: 1/s, on-store-failure: deny, mode: off }
              - { name: own, limit: 1/s, on-store-failure: deny, scope: process }
            """, "policies.yaml");
    private static final Policies ALLOWING =
            Policies.parse("version: 1\npolicies:\n  - { name: allows, limit: 1/s }\n", "policies.yaml");

    private final AtomicBoolean reachable = new AtomicBoolean(true);

    @Test
    void storeAway_isNotReady_onlyWhereAPolicyDenies() {
        Readiness denying = new Readiness(reachable::get, () -> POLICIES);
        Readiness allowing = new Readiness(reachable::get, () -> ALLOWING);
        assertThat(denying.isReady()).isTrue();

        reachable.set(false);

        assertThat(denying.isReady()).isFalse();
        assertThat(denying.denying()).containsExactly("denies");
        assertThat(allowing.isReady()).isTrue();
        reachable.set(true);
        assertThat(denying.getAsBoolean()).isTrue();
    }

    @Test
    void stop_makesTheServerNotReady() {
        Readiness readiness = new Readiness(reachable::get, () -> ALLOWING);

        readiness.stop();

        assertThat(readiness.isReady()).isFalse();
    }
}
