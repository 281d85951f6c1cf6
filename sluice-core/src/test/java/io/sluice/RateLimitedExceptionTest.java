package io.sluice;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class RateLimitedExceptionTest {
    private static RateLimitedException denied(long permits, Decision decision) {
        return new RateLimitedException("mail", "bob", permits, decision);
    }

    @Test
    void message_denial_namesLimiterKeyAndNumbers() {
        assertThat(denied(3, Decision.denied(2, 250_001, 900_000)))
                .hasMessage("limiter \"mail\", key \"bob\": 3 permits denied, 2 free, retry after 251ms");
        assertThat(denied(1, Decision.denied(0, 60_000_000, 0)))
                .hasMessage("limiter \"mail\", key \"bob\": 1 permit denied, 0 free, retry after 1m");
        assertThat(denied(1, Decision.BLOCKED))
                .hasMessage(
                        "limiter \"mail\", key \"bob\": 1 permit denied, 0 free, more than the limit can ever give");
        assertThat(denied(1, Decision.denied(0, 1_000_000, 0).asDegraded()))
                .hasMessage("limiter \"mail\", key \"bob\": 1 permit denied, 0 free, retry after 1s,"
                        + " decided without the store");
    }

    @Test
    void decision_allowedMeanwhile_isADenialToRetryAtOnceOrAfterTheDelay() {
        RateLimitedException atOnce = denied(1, Decision.allowed(4, 0, 500));
        assertThat(atOnce.decision()).isEqualTo(Decision.denied(4, 0, 500));
        assertThat(atOnce).hasMessageEndingWith("4 free, retry at once");
        RateLimitedException later = denied(1, Decision.allowed(4, 300_000, 500_000));
        assertThat(later.decision()).isEqualTo(Decision.denied(4, 300_000, 500_000));
        assertThat(later.retryAfter()).isEqualTo(Duration.ofMillis(300));
    }

    @Test
    void exception_serialized_keepsItsDecision() throws Exception {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (ObjectOutputStream out = new ObjectOutputStream(bytes)) {
            out.writeObject(denied(3, Decision.denied(2, 250_000, 900_000)));
        }
        try (ObjectInputStream in = new ObjectInputStream(new ByteArrayInputStream(bytes.toByteArray()))) {
            RateLimitedException copy = (RateLimitedException) in.readObject();
            assertThat(copy.decision()).isEqualTo(Decision.denied(2, 250_000, 900_000));
            assertThat(copy.limiter() + copy.key() + copy.permits()).isEqualTo("mailbob3");
        }
    }
}
