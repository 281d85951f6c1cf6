package io.sluice.server.rls;

import static io.sluice.server.rls.Calls.call;
import static io.sluice.server.rls.Calls.codes;
import static io.sluice.server.rls.Calls.descriptor;
import static io.sluice.server.rls.Calls.hits;
import static io.sluice.server.rls.Calls.remaining;
import static org.assertj.core.api.Assertions.assertThat;

import io.envoyproxy.envoy.service.ratelimit.v3.RateLimitRequest;
import io.envoyproxy.envoy.service.ratelimit.v3.RateLimitResponse;
import io.envoyproxy.envoy.service.ratelimit.v3.RateLimitResponse.Code;
import io.envoyproxy.envoy.service.ratelimit.v3.RateLimitServiceGrpc;
import io.sluice.policy.Policies;
import io.sluice.policy.envoy.EnvoyConfig;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Costs that an Envoy reports afterwards: it looks with 0 hits before, and reports the hits after. */
interface DebtContract {
    /** A server on a new store. */
    RlsTestServer serve(Policies policies);

    /** A server on a new store. */
    RlsTestServer serve(EnvoyConfig config);

    private static RateLimitResponse ask(RlsTestServer served, RateLimitRequest.Builder call) {
        return RateLimitServiceGrpc.newBlockingStub(served.channel).shouldRateLimit(call.build());
    }

    private static Code look(RlsTestServer served, String tenant) {
        return ask(served, call(hits(descriptor("tenant", tenant), 0))).getOverallCode();
    }

    private static void requireDebts(RlsTestServer served, String policy) {
        assertThat(look(served, "acme")).isEqualTo(Code.OK);
        RateLimitResponse first = ask(served, call(hits(descriptor("tenant", "acme"), 60)));
        assertThat(first.getOverallCode()).isEqualTo(Code.OK);
        assertThat(remaining(first)).containsExactly(40);
        RateLimitResponse second = ask(served, call(hits(descriptor("tenant", "acme"), 70)));
        assertThat(second.getOverallCode()).isEqualTo(Code.OVER_LIMIT);
        assertThat(remaining(second)).containsExactly(0);
        assertThat(served.engine.counters())
                .hasEntrySatisfying(
                        policy, counters -> assertThat(counters.debt()).isEqualTo(30));
        for (int i = 0; i < 3; i++) {
            assertThat(look(served, "acme")).as("in debt").isEqualTo(Code.OVER_LIMIT);
        }
        assertThat(look(served, "other")).isEqualTo(Code.OK);

        RateLimitResponse mixed = ask(
                served,
                call(hits(descriptor("tenant", "acme"), 0), hits(descriptor("tenant", "other"), 5))
                        .setHitsAddend(99));
        assertThat(codes(mixed)).containsExactly(Code.OVER_LIMIT, Code.OK);
        assertThat(remaining(mixed))
                .as("reported in full, with the hits of the descriptor, though the call is over its limit")
                .containsExactly(0, 95);
        assertThat(remaining(ask(served, call(descriptor("tenant", "other")).setHitsAddend(90))))
                .as("without hits of its own, those of the call")
                .containsExactly(5);
        assertThat(remaining(ask(served, call(descriptor("tenant", "other")))))
                .as("without any hits, one")
                .containsExactly(4);
        assertThat(remaining(ask(served, call(hits(descriptor("tenant", "other"), 4)))))
                .containsExactly(0);
        assertThat(look(served, "other")).as("used up, but not in debt").isEqualTo(Code.OK);
    }

    @Test
    default void policy_thatAlwaysCharges_countsReportsInFull() {
        try (RlsTestServer served = serve(Policies.parse("""
                version: 1
                policies:
                  - { name: tokens, key: [tenant], limit: fixed-window 100 per year, charge: always }
                """, "test.yaml"))) {
            requireDebts(served, "tokens");
            assertThat(served.engine
                            .inspect("tokens", Map.of("tenant", "acme"))
                            .toCompletableFuture()
                            .join())
                    .extracting(status -> status.state().debt())
                    .containsExactly(30L);
        }
    }

    @Test
    default void rule_thatAlwaysCharges_countsReportsInFull() {
        try (RlsTestServer served = serve(EnvoyConfig.parse(Map.of("edge.yaml", """
                domain: edge
                descriptors:
                  - key: tenant
                    rate_limit: { unit: year, requests_per_unit: 100, charge: always }
                """)))) {
            requireDebts(served, "edge/tenant");
        }
    }

    @Test
    default void descriptor_thatAlwaysCharges_countsReportsInFull() {
        try (RlsTestServer served = serve(EnvoyConfig.parse(Map.of("edge.yaml", """
                domain: edge
                descriptors:
                  - key: tenant
                    charge: always
                    rate_limit: { unit: year, requests_per_unit: 100, algorithm: token-bucket }
                """)))) {
            requireDebts(served, "edge/tenant");
        }
    }

    @Test
    default void rule_thatChargesAdmitted_refusesAReportThatDoesNotFit() {
        try (RlsTestServer served = serve(EnvoyConfig.parse(Map.of("edge.yaml", """
                domain: edge
                descriptors:
                  - key: tenant
                    rate_limit: { unit: year, requests_per_unit: 100 }
                """)))) {
            ask(served, call(hits(descriptor("tenant", "acme"), 60)));
            assertThat(remaining(ask(served, call(hits(descriptor("tenant", "acme"), 70)))))
                    .containsExactly(40);
            assertThat(look(served, "acme")).isEqualTo(Code.OK);
        }
    }
}
