package io.sluice.policy;

import static io.sluice.policy.PolicyFileAssertions.assertRefused;
import static io.sluice.policy.PolicyFileAssertions.policy;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.Limit;
import io.sluice.OnFailure;
import java.math.BigDecimal;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** A reserve on a limit that warms up is refused: such a limit is free or not, and has no permits to keep. */
class WarmUpReserveTest {
    private static final String RESERVE = "reserve: { share: 20%, for: { priority: critical } }";
    private static final String EXPECTED =
            " (expected: another algorithm, because the policy has a reserve and warm-up has no permits to keep)";

    @Test
    void file_limitOfThePolicy_isRefusedAtItsPlace() {
        assertRefused(policy("limit: warm-up 100/s over 10s", RESERVE))
                .containsExactly("test.yaml:4:12: error: limit: \"warm-up 100/s over 10s\"" + EXPECTED);
        assertRefused(policy(RESERVE, "limit: warm-up 100/s over 10s lockout 1m"))
                .containsExactly("test.yaml:5:12: error: limit: \"warm-up 100/s over 10s lockout 1m\"" + EXPECTED);
    }

    @Test
    void file_limitOfAnOverride_isRefusedAtItsPlace() {
        assertRefused(policy(
                        "limit: 5/s",
                        RESERVE,
                        "overrides:",
                        "  - { match: { a: b }, limit: 7/s }",
                        "  - { match: { a: c }, limit: warm-up 100/s over 10s }"))
                .containsExactly("test.yaml:8:35: error: limit: \"warm-up 100/s over 10s\"" + EXPECTED);
    }

    @Test
    void file_withoutReserve_isRead() {
        assertThat(Policies.parse(policy("limit: warm-up 100/s over 10s"), "test.yaml")
                        .policies()
                        .get(0)
                        .limit())
                .isEqualTo(Limit.parse("warm-up 100/s over 10s"));
    }

    @Test
    void policy_inJava_isRefused() {
        Limit warmUp = Limit.parse("warm-up 100/s over 10s");
        Reserve reserve = new Reserve(new BigDecimal(20), Match.ALL);
        assertThat(policyOf(warmUp, List.of(), null).limit()).isEqualTo(warmUp);
        assertThatThrownBy(() -> policyOf(warmUp, List.of(), reserve))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("limit: warm-up 100/s over 10s" + EXPECTED);
        LimitOverride override = new LimitOverride(null, new Match(Map.of()), warmUp.lockout(warmUp.refillTime()));
        assertThatThrownBy(() -> policyOf(Limit.unlimited(), List.of(override), reserve))
                .hasMessage("limit: warm-up 100/s over 10s lockout 10s" + EXPECTED);
    }

    private static Policy policyOf(Limit limit, List<LimitOverride> overrides, @Nullable Reserve reserve) {
        return new Policy(
                "p", Match.ALL, List.of(), limit, overrides, reserve, Mode.ENFORCE, OnFailure.ALLOW, Scope.SHARED);
    }
}
