package io.sluice.spring.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.policy.PolicyEngine;
import io.sluice.spring.client.PartnerApi;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Not a part of {@link GatewayTest}: a gateway that is closed stops the event loops of another in the same process. */
@Tag("slow")
class GatewayDisabledTest {
    private static final List<String> ROUTES = List.of("""
            limited
            filters[0].name=RequestRateLimiter
            filters[0].args.sluice-rate-limiter.policy=per-tenant""", """
            named
            filters[0]=Sluice=per-key, per-user""");

    @Test
    void disabled_routesNeedNotChange() throws Exception {
        try (PartnerApi downstream = new PartnerApi();
                GatewayApp gateway = new GatewayApp(
                        downstream.url(),
                        ROUTES,
                        "spring.cloud.gateway.server.webflux.redis.enabled=false",
                        "sluice.enabled=false")) {
            assertThat(gateway.context().getBeansOfType(PolicyEngine.class)).isEmpty();
            for (int i = 0; i < 3; i++) {
                assertThat(gateway.status("/limited/a", "X-Tenant", "acme")).isEqualTo(200);
                assertThat(gateway.status("/named/a", "X-Key", "k1")).isEqualTo(200);
            }
            assertThat(downstream.requests()).isEqualTo(6);
        }
    }
}
