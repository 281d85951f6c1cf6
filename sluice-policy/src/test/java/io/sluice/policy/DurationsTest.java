package io.sluice.policy;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.Decision;
import io.sluice.Limit;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** The times of decisions as durations. */
class DurationsTest {
    private static final Limit LIMIT = Limit.parse("leaky-bucket 10/s");
    private static final Decision DELAYED = Decision.allowed(1, 300_000, 400_000);
    private static final Decision DENIED = Decision.denied(0, 1_500_000, 2_000_000);

    private static PolicyResult result(Decision decision) {
        return new PolicyResult("policy", Map.of(), LIMIT, Mode.ENFORCE, decision);
    }

    @Test
    void result_hasTheDurationsOfItsDecision() {
        assertThat(result(DELAYED).delay()).isEqualTo(Duration.ofMillis(300));
        assertThat(result(DENIED).retryAfter()).isEqualTo(Duration.ofMillis(1500));
        assertThat(result(DENIED).resetAfter()).isEqualTo(Duration.ofSeconds(2));
    }

    @Test
    void decision_hasTheLongestDurations() {
        assertThat(PolicyDecision.of(result(DELAYED), result(Decision.UNLIMITED))
                        .delay())
                .isEqualTo(Duration.ofMillis(300));
        PolicyDecision denied = PolicyDecision.of(result(DELAYED), result(DENIED));
        assertThat(denied.retryAfter()).isEqualTo(Duration.ofMillis(1500));
        assertThat(denied.delay()).isZero();
        assertThat(denied.never()).isFalse();
        PolicyDecision never = PolicyDecision.of(result(Decision.BLOCKED), result(DENIED));
        assertThat(never.never()).isTrue();
        assertThat(never.retryAfter()).isEqualTo(ChronoUnit.FOREVER.getDuration());
    }

    @Test
    void severalRequests_haveTheLongestDurations() {
        PolicyDecision delayed = PolicyDecision.of(result(DELAYED));
        assertThat(new PolicyDecisions(true, List.of(delayed), List.of(Decision.UNLIMITED)).delay())
                .isEqualTo(Duration.ofMillis(300));
        PolicyDecisions denied = new PolicyDecisions(false, List.of(delayed), List.of(DENIED));
        assertThat(denied.retryAfter()).isEqualTo(Duration.ofMillis(1500));
        assertThat(denied.delay()).isZero();
        assertThat(new PolicyDecisions(true, List.of(), List.of()).retryAfter()).isZero();
    }
}
