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
        PolicyCounters counters = PolicyCounters.ofPolicy(() -> 7);
        for (Mode mode : new Mode[] {Mode.ENFORCE, Mode.SHADOW}) {
            for (Decision decision : new Decision[] {ALLOWED, DENIED, ALLOWED.asDegraded(), DENIED.asDegraded()}) {
                counters.count(mode, decision, 1, decision.allowed() || mode == Mode.SHADOW);
            }
        }
        assertThat(counters.allowed()).isEqualTo(2);
        assertThat(counters.denied()).isEqualTo(1);
        assertThat(counters.shadowDenied()).isEqualTo(1);
        assertThat(counters.degraded()).isEqualTo(4);
        assertThat(counters.evicted()).isEqualTo(7);
        assertThat(counters.read()).isEqualTo(new Counts(4, 2, 2, 4, 7));
        assertThat(counters.read().total()).isEqualTo(8);
    }

    @Test
    void permits_allowedByAllAndByTheStore_areCounted() {
        PolicyCounters counters = PolicyCounters.ofPolicy(() -> 0);
        counters.count(Mode.ENFORCE, ALLOWED, 1, true);
        counters.count(Mode.ENFORCE, ALLOWED, 5, true);
        counters.count(Mode.ENFORCE, ALLOWED, 100, false);
        counters.count(Mode.ENFORCE, ALLOWED.asDegraded(), 100, true);
        counters.count(Mode.ENFORCE, DENIED, 100, false);
        counters.count(Mode.SHADOW, DENIED, 100, true);
        assertThat(counters.permits()).isEqualTo(6);
        assertThat(counters.allowed()).isEqualTo(3);
    }

    @Test
    void countByForce_beyondTheLimit_isADebt() {
        PolicyCounters counters = PolicyCounters.ofPolicy(() -> 0);
        counters.count(Mode.ENFORCE, ALLOWED, 60, false);
        counters.countByForce(60, ALLOWED);
        counters.count(Mode.ENFORCE, DENIED, 70, false);
        counters.countByForce(70, inDebt(30));
        assertThat(counters.debt()).as("of 70, 40 were left").isEqualTo(30);
        counters.countByForce(5, inDebt(35));
        assertThat(counters.debt()).as("all of 5").isEqualTo(35);
        counters.countByForce(1000, inDebt(1035).asDegraded());
        assertThat(counters.debt()).isEqualTo(35);
        assertThat(counters.permits()).isEqualTo(135);
        assertThat(counters.read()).isEqualTo(new Counts(1, 1, 0, 0, 0, 35));
        assertThat(counters.read().since(new Counts(1, 1, 0, 0, 0, 30)))
                .hasToString("total 0, allowed 0, denied 0, shadow-denied 0, degraded 0, debt 5");
    }

    private static Decision inDebt(long debt) {
        return new Decision(false, 0, 1, 0, 1, debt, false);
    }

    @Test
    void count_requests_areAllowedOrDenied() {
        PolicyCounters counters = PolicyCounters.ofRequests(() -> 0);
        counters.count(true, false, false);
        counters.count(false, false, false);
        counters.count(true, false, true);
        counters.count(false, false, true);
        counters.count(true, true, false);
        assertThat(counters.read()).isEqualTo(new Counts(2, 2, 1, 2));
        assertThat(counters.permits()).isZero();
    }
}
