package io.sluice;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.List;
import org.junit.jupiter.api.Test;

class DecisionTest {
    private static final Decision DELAYED = Decision.allowed(4, 300_000, 500_000);
    private static final Decision DENIED = Decision.denied(1, 2_000_001, 5_000_000);

    @Test
    void withoutDelay_delayed_isDeniedUntilTheDelayIsOver() {
        assertThat(DELAYED.withoutDelay()).isEqualTo(Decision.denied(4, 300_000, 500_000));
        assertThat(DELAYED.asDegraded().withoutDelay().degraded()).isTrue();
        assertThat(DENIED.withoutDelay()).isSameAs(DENIED);
        assertThat(Decision.UNLIMITED.withoutDelay()).isSameAs(Decision.UNLIMITED);
    }

    @Test
    void durations_areTheMicroseconds() {
        assertThat(DELAYED.delay()).isEqualTo(Duration.ofMillis(300));
        assertThat(DENIED.retryAfter()).isEqualTo(Duration.ofNanos(2_000_001_000));
        assertThat(DENIED.resetAfter()).isEqualTo(Duration.ofSeconds(5));
        assertThat(Decision.BLOCKED.retryAfter()).isEqualTo(ChronoUnit.FOREVER.getDuration());
    }

    @Test
    void durationsOfDecisions_areTheLongest() {
        Decisions denied = new Decisions(false, List.of(DELAYED, DENIED));
        assertThat(denied.retryAfter()).isEqualTo(DENIED.retryAfter());
        assertThat(denied.delay()).isEqualTo(Duration.ZERO);
        Decisions allowed = new Decisions(true, List.of(DELAYED, Decision.UNLIMITED));
        assertThat(allowed.retryAfter()).isEqualTo(Duration.ZERO);
        assertThat(allowed.delay()).isEqualTo(Duration.ofMillis(300));
    }

    @Test
    void options_listener_isAPartOfThem() {
        LimiterListener listener = new LimiterListener() {};
        LimiterOptions options = LimiterOptions.onFailure(OnFailure.DENY);
        assertThat(options).isEqualTo(new LimiterOptions(OnFailure.DENY, 0));
        assertThat(options.listener()).isSameAs(LimiterListener.NONE);
        assertThat(options.listener(listener).revision(3))
                .isEqualTo(new LimiterOptions(OnFailure.DENY, 3, listener))
                .isNotEqualTo(options.revision(3));
    }
}
