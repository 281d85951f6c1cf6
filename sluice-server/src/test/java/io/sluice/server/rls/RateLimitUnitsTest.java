package io.sluice.server.rls;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.Limit;
import io.sluice.server.decide.MaxCallPeriod;
import io.sluice.server.rls.proto.RateLimitDescriptor.RateLimitOverride;
import io.sluice.server.rls.proto.RateLimitResponse.RateLimit;
import io.sluice.server.rls.proto.RateLimitUnit;
import java.time.Duration;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RateLimitUnitsTest {
    @ParameterizedTest
    @CsvSource({
        "600/min burst 100, 600, MINUTE",
        "leaky-bucket 10/s capacity 20, 10, SECOND",
        "fixed-window 5 per 1h, 5, HOUR",
        "sliding-log 5 per 1d lockout 5m, 5, DAY",
        "sliding-counter 7 per 7d, 7, WEEK",
        "fixed-window 7 per 30d, 7, MONTH",
        "fixed-window 7 per 365d, 7, YEAR",
        "2 per 5s, 24, MINUTE",
        "10 per 500ms, 20, SECOND",
        "7 per 36h, 32, WEEK",
        "fixed-window 1 per 730d, 1, YEAR",
        "fixed-window 3 per 730d, 1, YEAR",
        "fixed-window 5000000000 per 1m, -1, MINUTE",
        "fixed-window 7 per day zone Asia/Kolkata, 7, DAY",
        "fixed-window 7 per week, 7, WEEK",
        "fixed-window 10000 per month zone Asia/Shanghai lockout 1m escalate 5, 10000, MONTH",
        "fixed-window 5000000000 per year, -1, YEAR",
        "warm-up 100/s over 10s, 100, SECOND",
        "warm-up 2 per 5s over 1m, 24, MINUTE",
        "blocked, 0, SECOND",
    })
    void rate_isTheNearestRatePerUnit(String limit, int requests, RateLimit.Unit unit) {
        assertThat(RateLimitUnits.rate(Limit.parse(limit)).build())
                .isEqualTo(RateLimit.newBuilder()
                        .setRequestsPerUnit(requests)
                        .setUnit(unit)
                        .build());
    }

    @ParameterizedTest
    @CsvSource({
        "SECOND, fixed-window 5/s",
        "MINUTE, fixed-window 5/min",
        "HOUR, fixed-window 5/h",
        "DAY, fixed-window 5/d",
        "WEEK, fixed-window 5 per 7d",
        "MONTH, fixed-window 5 per 30d",
        "YEAR, fixed-window 5 per 365d",
    })
    void limit_isAWindowOfTheUnit(RateLimitUnit unit, String limit) {
        RateLimitOverride override = RateLimitOverride.newBuilder()
                .setRequestsPerUnit(5)
                .setUnit(unit)
                .build();
        assertThat(RateLimitUnits.limit(0, override, new MaxCallPeriod(Duration.ofDays(365))))
                .isEqualTo(Limit.parse(limit));
    }
}
