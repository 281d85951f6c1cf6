package io.sluice.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.Gate;
import io.sluice.Limit;
import org.junit.jupiter.api.Test;

class GateOfTest {
    @Test
    void of_severalLimits_areEnforcedTogetherWithoutKeys() {
        Gate gate = Gate.of(Limit.parse("10/d"), Limit.parse("sliding-log 3 per 1h"));
        assertThat(gate.key()).isEmpty();
        assertThat(gate.acquireUpTo(99)).isEqualTo(3);
        assertThat(gate.tryAcquire()).isFalse();
        assertThat(gate.limiter().limits()).hasSize(2);
    }

    @Test
    void of_twice_areIndependent() {
        Limit limit = Limit.parse("1/d");
        assertThat(Gate.of(limit).tryAcquire()).isTrue();
        assertThat(Gate.of(limit).tryAcquire()).isTrue();
    }
}
