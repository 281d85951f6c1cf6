package io.sluice.policy.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.Decision;
import io.sluice.policy.Counts;
import io.sluice.policy.Mode;
import org.junit.jupiter.api.Test;

class PolicyCountersTest {
    private static final Decision ALLOWED = Decision.allowed(1, 0, 0);
    private static final Decision DENIED = Decision.denied(0, 1, 1);

    @Test
    void count_anyDecision_isInExactlyOneCounter() {
        PolicyCounters counters = new PolicyCounters();
        for (Mode mode : new Mode[] {Mode.ENFORCE, Mode.SHADOW}) {
            for (Decision decision : new Decision[] {ALLOWED, DENIED, ALLOWED.asDegraded(), DENIED.asDegraded()}) {
                counters.count(mode, decision);
            }
        }
        assertThat(counters.allowed.sum()).isEqualTo(2);
        assertThat(counters.denied.sum()).isEqualTo(1);
        assertThat(counters.shadowDenied.sum()).isEqualTo(1);
        assertThat(counters.degradedAllowed.sum()).isEqualTo(2);
        assertThat(counters.degradedDenied.sum()).isEqualTo(1);
        assertThat(counters.degradedShadowDenied.sum()).isEqualTo(1);
        assertThat(counters.degraded()).isEqualTo(4);
        assertThat(counters.read()).isEqualTo(new Counts(4, 2, 2, 4));
        assertThat(counters.read().total()).isEqualTo(8);
    }

    @Test
    void count_requests_areAllowedOrDenied() {
        PolicyCounters counters = new PolicyCounters();
        counters.count(true, false);
        counters.count(false, false);
        counters.count(true, true);
        counters.count(false, true);
        assertThat(counters.read()).isEqualTo(new Counts(2, 2, 0, 2));
    }
}
