package io.sluice.redis.local;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.Decision;
import io.sluice.Limit;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests the use that is derived from decisions of Redis, at later times. */
class ReportedUseTest {
    private static final long NOW = 1_000_000_000;

    private static ReportedUse heard(String limit, long remaining, long resetMillis, boolean alone) {
        ReportedUse use = new ReportedUse(Limit.parse(limit));
        use.decided(Decision.allowed(remaining, 0, resetMillis * 1000), 0, alone, NOW);
        return use;
    }

    private static long after(ReportedUse use, long millis) {
        return use.at(NOW + millis * 1000);
    }

    @ParameterizedTest
    @CsvSource({
        // limit, remaining, resets after ms, ms later, use
        "token-bucket 10/s burst 20, 15, 500, 0, 5",
        "token-bucket 10/s burst 20, 15, 500, 250, 3",
        "token-bucket 10/s burst 20, 15, 500, 500, 0",
        "token-bucket 10/s burst 20, 0, 5000, 0, 50",
        "token-bucket 10/s burst 20, 0, 5000, 4900, 1",
        "leaky-bucket 10/s capacity 20, 12, 800, 300, 5",
        "token-bucket 2 per 5s burst 10 refill interval, 4, 15000, 4999, 6",
        "token-bucket 2 per 5s burst 10 refill interval, 4, 15000, 5000, 4",
        "token-bucket 2 per 5s burst 10 refill interval, 4, 15000, 15000, 0",
        "fixed-window 100 per 1m, 30, 20000, 19999, 70",
        "fixed-window 100 per 1m, 30, 20000, 20000, 0",
        "sliding-log 18 per 10s, 0, 10000, 9999, 18",
        "sliding-log 18 per 10s lockout 1h, 0, 3600000, 10000, 0",
        "sliding-counter 100 per 1m, 40, 61000, 60000, 60",
        "unlimited, 9223372036854775807, 0, 0, 0"
    })
    void use_afterATime(String limit, long remaining, long resetMillis, long millis, long use) {
        assertThat(after(heard(limit, remaining, resetMillis, true), millis)).isEqualTo(use);
    }

    @Test
    void use_ofSeveralLimits_isTheHighestPossible() {
        // Of 10/s and 10000/d, 5 remain, and the last of it is refilled after a minute.
        ReportedUse second = heard("10/s", 5, 60_000, false);
        ReportedUse day = heard("token-bucket 10000/d", 5, 60_000, false);
        assertThat(after(second, 0)).isEqualTo(5);
        assertThat(after(second, 500)).isZero();
        assertThat(after(day, 0)).isEqualTo(7);
    }

    @Test
    void use_withPermitsKeptForOthers_countsThemAsFree() {
        ReportedUse use = new ReportedUse(Limit.parse("fixed-window 100 per 1m"));
        use.decided(Decision.allowed(50, 0, 30_000_000), 20, true, NOW);
        assertThat(use.at(NOW)).isEqualTo(30);
    }

    @Test
    void use_afterTaking_growsUntilItExpires() {
        ReportedUse bucket = heard("10/s", 9, 100, true);
        bucket.add(3, NOW + 50_000);
        assertThat(bucket.at(NOW + 50_000)).isEqualTo(4);
        assertThat(bucket.at(NOW + 400_000)).isZero();
        ReportedUse log = heard("sliding-log 18 per 10s", 10, 4000, true);
        log.add(3, NOW + 1_000_000);
        assertThat(log.at(NOW + Duration.ofSeconds(10).toNanos() / 1000)).isEqualTo(11);
        assertThat(log.at(NOW + Duration.ofSeconds(11).toNanos() / 1000)).isZero();
    }

    @Test
    void use_neverReported_isZero() {
        ReportedUse use = new ReportedUse(Limit.parse("sliding-log 18 per 10s"));
        assertThat(use.at(NOW)).isZero();
        use.add(2, NOW);
        use.clear();
        assertThat(use.at(NOW)).isZero();
    }

    @Test
    void use_hugeNumbers_areNotRoundedDown() {
        ReportedUse use = heard("token-bucket 1000000000/s burst 1000000000000", 1, 1_000_000, true);
        assertThat(use.at(NOW)).isBetween(999_999_999_999L, 1_000_000_000_999L);
    }
}
