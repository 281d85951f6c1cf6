package io.sluice.adapt;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.Limit;
import java.math.BigDecimal;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ScaledLimitTest {
    @ParameterizedTest
    @CsvSource({
        "600/min burst 100, 0.5, 300/min burst 50",
        "token-bucket 2/5s burst 10 refill interval, 1.5, token-bucket 3/5s burst 15 refill interval",
        "leaky-bucket 10/s capacity 20, 0.25, leaky-bucket 2/s capacity 5",
        "fixed-window 100/min from-first, 0.333, fixed-window 33/min from-first",
        "fixed-window 10000 per month zone Asia/Shanghai, 0.2, fixed-window 2000 per month zone Asia/Shanghai",
        "sliding-log 5/min lockout 5m escalate 3, 0.1, sliding-log 1/min lockout 5m escalate 3",
        "sliding-counter 1000/h slots 60, 0.0625, sliding-counter 62/h slots 60",
        "warm-up 100/s over 10s, 0.5, warm-up 50/s over 10s",
        "concurrency 64 hold 30s, 0.5, concurrency 32 hold 30s",
        "concurrency adaptive, 0.5, concurrency adaptive",
        "unlimited, 0.5, unlimited",
        "blocked, 0.5, blocked",
    })
    void numbers_areScaled_timesAreNot(String limit, BigDecimal factor, String scaled) {
        assertThat(ScaledLimit.of(Limit.parse(limit), factor)).isEqualTo(new ScaledLimit(Limit.parse(scaled), true));
    }

    @Test
    void product_isExact_whereADoubleWouldRound() {
        // 0.29 * 100 is 28.999... as doubles.
        assertThat(ScaledLimit.of(Limit.parse("100/s"), new BigDecimal("0.29")).limit())
                .isEqualTo(Limit.parse("29/s"));
    }

    @Test
    void product_thatWouldBeRefused_becomesTheLargestThatIsNot() {
        assertThat(ScaledLimit.of(Limit.parse("sliding-log 80000/h"), new BigDecimal("1.5")))
                .isEqualTo(new ScaledLimit(Limit.parse("sliding-log 100000/h"), false));
        assertThat(ScaledLimit.of(Limit.parse("concurrency 80000"), new BigDecimal("1.5")))
                .isEqualTo(new ScaledLimit(Limit.parse("concurrency 100000"), false));
        long most = 1L << 50;
        assertThat(ScaledLimit.of(Limit.parse("fixed-window " + most + "/s"), new BigDecimal("1.5")))
                .isEqualTo(new ScaledLimit(Limit.parse("fixed-window " + most + "/s"), false));
    }

    @Test
    void rateOfABucket_thatWouldBeRefused_becomesTheLargestThatIsNot() {
        String most = Long.toString(1L << 50);
        assertThat(ScaledLimit.of(Limit.parse("token-bucket 700000000000000/d burst 5"), BigDecimal.valueOf(2)))
                .isEqualTo(new ScaledLimit(Limit.parse("token-bucket " + most + "/d burst 10"), false));
        assertThat(ScaledLimit.of(Limit.parse("leaky-bucket 700000000000000/d capacity 5"), BigDecimal.valueOf(2)))
                .isEqualTo(new ScaledLimit(Limit.parse("leaky-bucket " + most + "/d capacity 10"), false));
    }

    @Test
    void burst_thatWouldTakeTooLongToRefill_isCut() {
        // 3 * 0.5 permits are rounded down to 1, so the refill takes longer than before.
        ScaledLimit scaled = ScaledLimit.of(Limit.parse("3/365d burst 400"), new BigDecimal("0.5"));

        assertThat(scaled.isExact()).isFalse();
        assertThat(scaled.limit().capacity()).isBetween(100L, 200L);
    }

    @Test
    void warmUp_thatIsNotExact_getsARounderRate() {
        ScaledLimit scaled = ScaledLimit.of(Limit.parse("warm-up 100000/s over 60s"), new BigDecimal("0.99999"));

        assertThat(scaled.limit().toString()).startsWith("warm-up 9");
    }
}
