package io.sluice.policy;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.Decision;
import io.sluice.Limit;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class DecisionJsonTest {
    private static PolicyDecision of(List<PolicyResult> results) {
        return PolicyDecision.of(results.toArray(PolicyResult[]::new));
    }

    private static final Limit LIMIT = Limit.parse("sliding-log 5 per 1m lockout 5m");

    @Test
    void json_denied_hasAllFields() {
        PolicyDecision decision = of(List.of(new PolicyResult(
                "per-tenant", Map.of("tenant", "acme"), LIMIT, Mode.ENFORCE, Decision.denied(0, 5, 9))));
        String fields = "\"allowed\":false,\"retry_after_us\":5,\"delay_us\":0,\"violated\":[\"per-tenant\"],"
                + "\"results\":[{\"policy\":\"per-tenant\",\"key\":{\"tenant\":\"acme\"},"
                + "\"limit\":\"sliding-log 5/min lockout 5m\",\"mode\":\"enforce\",\"allowed\":false,\"remaining\":0,"
                + "\"retry_after_us\":5,\"delay_us\":0,\"reset_after_us\":9}]}";
        assertThat(decision.toJson()).isEqualTo("{" + fields);
        StringBuilder line = new StringBuilder();
        decision.appendJson(line, 0);
        assertThat(line).hasToString("{\"time_us\":0," + fields);
    }

    @Test
    void json_withoutResults_isAllowed() {
        assertThat(of(List.of()).toJson())
                .isEqualTo("{\"allowed\":true,\"retry_after_us\":0,\"delay_us\":0,\"violated\":[],\"results\":[]}");
    }

    @Test
    void json_neverUnlimitedShadowDegraded_hasSpecialValues() {
        Map<String, String> key = new LinkedHashMap<>();
        key.put("user", "\"\n\u0001\ud800\u00e9");
        key.put("ip/64", "2001:db8::/64");
        PolicyDecision decision = of(List.of(
                new PolicyResult(
                        "a", Map.of(), Limit.unlimited(), Mode.ENFORCE, new Decision(true, Long.MAX_VALUE, 0, 0, 0)),
                new PolicyResult("b", key, Limit.blocked(), Mode.ENFORCE, Decision.denied(0, Decision.NEVER, 0)),
                new PolicyResult("c", Map.of(), Limit.parse("10/s"), Mode.SHADOW, Decision.denied(0, 7, 8)),
                new PolicyResult(
                        "d\\",
                        Map.of(),
                        Limit.parse("leaky-bucket 10/s"),
                        Mode.ENFORCE,
                        Decision.allowed(1, 2, 3).asDegraded())));
        assertThat(decision.toJson())
                .isEqualTo(
                        "{\"allowed\":false,\"retry_after_us\":-1,\"delay_us\":0,\"violated\":[\"b\"],\"results\":["
                                + "{\"policy\":\"a\",\"key\":{},\"limit\":\"unlimited\",\"mode\":\"enforce\",\"allowed\":true,"
                                + "\"remaining\":0,\"retry_after_us\":0,\"delay_us\":0,\"reset_after_us\":0},"
                                + "{\"policy\":\"b\",\"key\":{\"user\":\"\\\"\\n\\u0001\\ud800\u00e9\",\"ip/64\":\"2001:db8::/64\"},"
                                + "\"limit\":\"blocked\",\"mode\":\"enforce\",\"allowed\":false,"
                                + "\"remaining\":0,\"retry_after_us\":-1,\"delay_us\":0,\"reset_after_us\":0},"
                                + "{\"policy\":\"c\",\"key\":{},\"limit\":\"" + Limit.parse("10/s")
                                + "\",\"mode\":\"shadow\",\"allowed\":false,"
                                + "\"remaining\":0,\"retry_after_us\":7,\"delay_us\":0,\"reset_after_us\":8},"
                                + "{\"policy\":\"d\\\\\",\"key\":{},\"limit\":\"" + Limit.parse("leaky-bucket 10/s")
                                + "\",\"mode\":\"enforce\",\"allowed\":true,"
                                + "\"remaining\":1,\"retry_after_us\":0,\"delay_us\":2,\"reset_after_us\":3,\"degraded\":true}]}");
    }
}
