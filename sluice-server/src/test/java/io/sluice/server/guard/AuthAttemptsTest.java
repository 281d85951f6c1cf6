package io.sluice.server.guard;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.server.CapturedServerLog;
import io.sluice.testkit.ManualTime;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class AuthAttemptsTest {
    private static final String HERE = "192.0.2.1";

    private final ManualTime time = new ManualTime();
    private final List<Duration> delays = new ArrayList<>();
    private final List<Runnable> waiting = new ArrayList<>();
    private final AuthAttempts attempts = new AuthAttempts("secret", this::later, time);
    private int answered;

    private void later(Duration delay, Runnable task) {
        delays.add(delay);
        waiting.add(task);
    }

    private boolean wrong(String address) {
        return attempts.recordFailure(address, () -> answered++);
    }

    private void wrong(String address, int times) {
        for (int i = 0; i < times; i++) {
            wrong(address);
        }
    }

    private void answerAll() {
        List<Runnable> tasks = List.copyOf(waiting);
        waiting.clear();
        tasks.forEach(Runnable::run);
    }

    @Test
    void failures_areAnsweredAtOnceAtFirst_thenWithGrowingDelays() {
        wrong(HERE, 5);
        assertThat(answered).isEqualTo(5);
        assertThat(delays).isEmpty();
        for (int i = 0; i < 8; i++) {
            wrong(HERE);
            answerAll();
        }
        assertThat(answered).isEqualTo(13);
        assertThat(delays)
                .extracting(Duration::toMillis)
                .containsExactly(100L, 200L, 400L, 800L, 1600L, 3200L, 5000L, 5000L);
    }

    @Test
    void failures_ofOneAddress_doNotDelayAnother() {
        wrong(HERE, 20);
        assertThat(wrong("192.0.2.2")).isTrue();
        assertThat(answered).isEqualTo(6);
    }

    @Test
    void failures_areForgivenAfterATime() {
        wrong(HERE, 6);
        assertThat(delays).hasSize(1);
        time.advance(Duration.ofSeconds(10));
        wrong(HERE);
        assertThat(delays.get(1)).isEqualTo(Duration.ofMillis(100));
        time.advance(Duration.ofSeconds(200));
        wrong(HERE, 5);
        assertThat(delays).hasSize(2);
    }

    @Test
    void attempts_whileManyResponsesAreDelayed_areNotCompared_forThatAddressOnly() {
        wrong(HERE, 5 + AuthAttempts.MAX_DELAYED - 1);
        assertThat(attempts.isAllowed(HERE)).isTrue();
        assertThat(wrong(HERE)).isTrue();
        assertThat(attempts.isAllowed(HERE)).isFalse();
        assertThat(wrong(HERE)).isFalse();
        assertThat(attempts.isAllowed("192.0.2.2")).isTrue();
        assertThat(waiting).hasSize(AuthAttempts.MAX_DELAYED);
        answerAll();
        assertThat(attempts.isAllowed(HERE)).isTrue();
        assertThat(answered).isEqualTo(5 + AuthAttempts.MAX_DELAYED);
    }

    @Test
    void success_keepsTheAddressAllowed_butForgivesNothing() {
        attempts.recordSuccess(HERE);
        wrong(HERE, 30);
        assertThat(attempts.isAllowed(HERE)).isTrue();
        assertThat(waiting).hasSize(AuthAttempts.MAX_DELAYED);
        attempts.recordSuccess(HERE);
        assertThat(wrong(HERE)).isFalse();
    }

    @Test
    void delayedResponses_areBoundedInTotal_andNewAddressesAreStillCompared() {
        for (int i = 0; i < AuthAttempts.MAX_DELAYED_TOTAL; i++) {
            wrong("10.0." + i / 256 + "." + i % 256, 6);
        }
        assertThat(waiting).hasSize(AuthAttempts.MAX_DELAYED_TOTAL);
        assertThat(attempts.isAllowed("10.0.0.0")).isFalse();
        assertThat(attempts.isAllowed(HERE)).isTrue();
        wrong(HERE, 6);
        assertThat(waiting).hasSize(AuthAttempts.MAX_DELAYED_TOTAL);
        assertThat(attempts.isAllowed(HERE)).isFalse();
        answerAll();
        assertThat(attempts.isAllowed(HERE)).isTrue();
    }

    @Test
    void addresses_beyondTheMaximum_areForgotten() {
        IntStream.range(0, AuthAttempts.MAX_ADDRESSES + 1000)
                .forEach(i -> wrong("10." + (i >> 16) + "." + (i >> 8 & 255) + "." + (i & 255)));
        assertThat(attempts.addresses()).isBetween(1000L, (long) AuthAttempts.MAX_ADDRESSES);
    }

    @Test
    void ipv6Addresses_ofOneNetwork_areOneClient() {
        for (int i = 0; i < 6; i++) {
            wrong("2001:db8:0:1::" + i);
        }
        assertThat(delays).hasSize(1);
        wrong("2001:db8:0:2::1");
        assertThat(delays).hasSize(1);
        wrong("::ffff:192.0.2.1", 3);
        wrong(HERE, 3);
        assertThat(delays).hasSize(2);
    }

    @Test
    void log_hasOneLineAMinute_withACount() {
        try (CapturedServerLog log = new CapturedServerLog()) {
            wrong(HERE, 4);
            assertThat(log.warnings()).isEmpty();
            wrong(HERE, 1000);
            assertThat(log.warnings())
                    .containsExactly(
                            "failed attempts at the secret, the latest from 192.0.2.1; responses to it are delayed by up to 5 s");
            time.advance(Duration.ofMinutes(1));
            wrong(HERE, 20);
            assertThat(log.warnings())
                    .hasSize(2)
                    .last()
                    .asString()
                    .contains("(and 998 more of this kind since the last line)");
        }
    }
}
