package io.sluice.spring.gateway;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.sluice.spring.SluiceSettingsException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("slow")
class RouteCheckTest {
    private static final List<String> POLICIES = List.of(
            "spring.cloud.gateway.server.webflux.redis.enabled=false",
            "sluice.store=memory",
            "sluice.policies[0].name=per-tenant",
            "sluice.policies[0].key=tenant",
            "sluice.policies[0].limit=2/h",
            "sluice.policies[1].name=per-route",
            "sluice.policies[1].key=route",
            "sluice.policies[1].limit=2/h");

    private static SluiceSettingsException refused(String route, String... settings) {
        List<String> all = new ArrayList<>(POLICIES);
        all.addAll(List.of(settings));
        Throwable failure = catchThrowable(
                () -> new GatewayApp("http://127.0.0.1:1", List.of(route), all.toArray(String[]::new)).close());
        assertThat(failure).as("the start").isNotNull();
        Throwable cause = failure;
        while (cause.getCause() != null) {
            cause = cause.getCause();
        }
        assertThat(cause).isInstanceOf(SluiceSettingsException.class);
        return (SluiceSettingsException) cause;
    }

    @Test
    void filter_withUnknownPolicy_failsTheStart() {
        SluiceSettingsException refused = refused("""
                orders
                filters[0]=Sluice=per-route, per-tennant""");
        assertThat(refused)
                .hasMessage("route \"orders\", the filter Sluice: there is no policy \"per-tennant\" (expected: one of"
                        + " per-tenant, per-route)");
        assertThat(refused.action()).isEqualTo("Did you mean \"per-tenant\"?");
    }

    @Test
    void requestRateLimiter_withUnknownPolicy_failsTheStart() {
        SluiceSettingsException refused = refused("""
                orders
                filters[0].name=RequestRateLimiter
                filters[0].args.key-resolver=#{@tenants}
                filters[0].args.sluice-rate-limiter.policy=gold""");
        assertThat(refused)
                .hasMessage(
                        "route \"orders\", sluice-rate-limiter.policy: there is no policy \"gold\" (expected: one of"
                                + " per-tenant, per-route)");
        assertThat(refused.action()).contains("sluice.policies");
    }

    @Test
    void defaultFilter_withUnknownPolicy_failsTheStart() {
        assertThat(refused("orders", "spring.cloud.gateway.server.webflux.default-filters[0]=Sluice=gold"))
                .hasMessageContaining("defaultFilters")
                .hasMessageContaining("\"gold\"");
    }

    @Test
    void routeThatIsOff_isNotChecked() {
        GatewayApp gateway = new GatewayApp("http://127.0.0.1:1", List.of("""
                orders
                enabled=false
                filters[0]=Sluice=gold"""), POLICIES.toArray(String[]::new));
        assertThat(gateway.context().isActive()).isTrue();
        gateway.close();
    }
}
