package io.sluice.policy;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.Decision;
import io.sluice.Limit;
import io.sluice.spi.PolicyStore;
import io.sluice.testkit.ManualTime;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Shadow policies count without denying; policies that are off are not evaluated. */
interface ModeContract extends EngineTests {
    String SHADOW = """
            - { name: enforced, key: [tenant], limit: 5/d }
            - { name: tried, limit: 3/d lockout 1h, mode: shadow }
            - { name: tried-blocked, match: { tenant: acme }, limit: blocked, mode: shadow }
            """;

    private static Decision verdict(PolicyDecision decision, int result) {
        return decision.results().get(result).decision();
    }

    @Test
    default void shadow_denies_isOnlyReported() {
        try (PolicyEngine engine = engine(new ManualTime(), SHADOW)) {
            PolicyDecision decision = engine.check(Map.of("tenant", "acme"), 4);
            assertThat(decision.allowed()).isTrue();
            assertThat(decision.violated()).isEmpty();
            assertThat(decision.retryAfterMicros()).isZero();
            assertThat(decision.results())
                    .extracting(PolicyResult::mode)
                    .containsExactly(Mode.ENFORCE, Mode.SHADOW, Mode.SHADOW);
            assertThat(verdict(decision, 0).remaining()).isEqualTo(1);
            assertThat(verdict(decision, 1).allowed()).isFalse();
            assertThat(verdict(decision, 2).never()).isTrue();
            assertThat(verdict(engine.check(Map.of("tenant", "b"), 1), 1).retryAfterMicros())
                    .as("its own lockout")
                    .isEqualTo(3_600_000_000L);
        }
    }

    @Test
    default void shadow_requestIsAdmitted_isCharged() {
        try (PolicyEngine engine = engine(new ManualTime(), SHADOW)) {
            assertThat(verdict(engine.check(Map.of("tenant", "b"), 2), 1).remaining())
                    .isEqualTo(1);
        }
    }

    @Test
    default void shadow_requestIsDenied_isNotCharged() {
        try (PolicyEngine engine = engine(new ManualTime(), SHADOW.replace("limit: 5/d", "limit: 1/d"))) {
            engine.check(Map.of("tenant", "b"), 1);
            PolicyDecision denied = engine.check(Map.of("tenant", "b"), 1);
            assertThat(denied.allowed()).isFalse();
            assertThat(verdict(denied, 1)).as("one of three is used").isEqualTo(verdict(engine.check(Map.of(), 0), 0));
            assertThat(verdict(denied, 1).remaining()).isEqualTo(2);
        }
    }

    @Test
    default void off_costsNothing() {
        ManualTime time = new ManualTime();
        PolicyStore store = newStore(time);
        String off =
                "- { name: gone, limit: 1/d, mode: 'off', overrides: [{ name: o, match: { a: b }, limit: 2/d }] }\n";
        try (PolicyEngine engine = EngineTests.engine(store, time, off)) {
            PolicyDecision decision = engine.check(Map.of("a", "b"), 1_000);
            assertThat(decision.allowed()).isTrue();
            assertThat(decision.results()).isEmpty();
            Limit other = Limit.parse("sliding-log 7 per 1m");
            assertThat(store.limiter("gone", other).limits())
                    .as("nobody has made a limiter of that name")
                    .containsExactly(other);
        }
    }
}
