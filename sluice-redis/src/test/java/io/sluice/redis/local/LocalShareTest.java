package io.sluice.redis.local;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.Limit;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class LocalShareTest {
    @ParameterizedTest
    @CsvSource({
        "10/s, 1, 10/s",
        "600/min burst 100, 3, 600 per 3m burst 33",
        "5/s burst 5 refill interval, 2, 5 per 2s burst 2 refill interval",
        "leaky-bucket 10/s capacity 20, 4, leaky-bucket 10 per 4s capacity 5",
        "fixed-window 100/min, 3, fixed-window 33/min",
        "sliding-log 5 per 1m lockout 5m, 2, sliding-log 2 per 1m lockout 5m",
        "sliding-counter 1000 per 1h slots 60, 10, sliding-counter 100 per 1h slots 60",
        "fixed-window 2 per 1m from-first, 5, fixed-window 1 per 150s from-first",
        "sliding-log 3 per 1s, 10, sliding-log 1 per 3334ms",
        "1 per 1d, 7, 1 per 7d burst 1",
        "unlimited, 9, unlimited",
        "blocked, 9, blocked"
    })
    void share_ofALimit(String limit, int processes, String share) {
        assertThat(LocalShare.of(Limit.parse(limit), processes)).isEqualTo(Limit.parse(share));
    }
}
