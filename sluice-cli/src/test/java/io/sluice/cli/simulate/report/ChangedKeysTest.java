package io.sluice.cli.simulate.report;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.Decision;
import io.sluice.Limit;
import io.sluice.policy.Mode;
import io.sluice.policy.PolicyResult;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ChangedKeysTest {
    private static final Decision DENIED = new Decision(false, 0, 1, 0, 1);

    private static PolicyResult of(String user) {
        return new PolicyResult("p", Map.of("user", user), Limit.parse("1/s"), Mode.ENFORCE, DENIED);
    }

    @Test
    void keys_thatFit_areCountedExactly() {
        ChangedKeys keys = new ChangedKeys(3, 1000);
        keys.count(of("b"), true);
        keys.count(of("a"), false);
        keys.count(of("c"), false);
        keys.count(of("c"), true);

        assertThat(keys.top(9))
                .extracting(entry -> entry.key().values().get("user"))
                .containsExactly("c", "a", "b");
        assertThat(keys.top(1).get(0).change().newlyDenied()).isEqualTo(1);
        assertThat(keys.top(1).get(0).change().newlyAllowed()).isEqualTo(1);
        assertThat(keys.missing()).isZero();
    }

    @Test
    void keys_thatAreTooMany_leaveThoseWithMostChanges() {
        ChangedKeys keys = new ChangedKeys(100, Long.MAX_VALUE);
        for (int i = 0; i < 100_000; i++) {
            keys.count(of(i % 2 == 0 ? "often" : "rare" + i), false);
        }

        ChangedKeys.Entry top = keys.top(1).get(0);
        assertThat(keys.size()).isLessThanOrEqualTo(100);
        assertThat(top.key().values()).containsEntry("user", "often");
        assertThat(top.change().total()).isEqualTo(50_000);
        assertThat(keys.missing()).isPositive();
    }

    @Test
    void keys_thatAreLong_areForgottenBeforeMemoryIsFull() {
        ChangedKeys keys = new ChangedKeys(1000, 10_000);
        for (int i = 0; i < 100; i++) {
            keys.count(of("x".repeat(3000) + i), false);
        }

        assertThat(keys.size()).isLessThan(4);
    }
}
