package io.sluice.policy.alert;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.policy.Counts;
import java.util.Random;
import org.junit.jupiter.api.Test;

class CountHistoryTest {
    private static final long SECOND = 1_000_000;

    private static Counts denied(long count) {
        return new Counts(0, count, 0, 0);
    }

    @Test
    void add_longPeriod_keepsFewReadingsAndIsNearlyExact() {
        long over = 86_400 * SECOND;
        CountHistory samples = new CountHistory(over, 0, Counts.NONE);
        // One a second: the count is the length of the window in seconds.
        for (long second = 1; second <= 200_000; second++) {
            long counted = samples.add(second * SECOND, denied(second)).denied();
            assertThat(counted).isBetween(Math.min(second, 86_400 - 73), 86_400L + 73);
            assertThat(samples.size()).isLessThan(700);
        }
    }

    @Test
    void add_irregularReadings_isExactToHalfAReading() {
        Random random = new Random(1);
        CountHistory samples = new CountHistory(10 * SECOND, 0, Counts.NONE);
        for (long second = 1; second < 1000; second++) {
            long now = second * SECOND + random.nextInt(200_000) - 100_000;
            // One a microsecond.
            long counted = samples.add(now, denied(now)).denied();
            assertThat(counted).isBetween(Math.min(now, 9_300_000), 10_700_000L);
            assertThat(samples.isWhole(now)).isEqualTo(now >= 9_500_000);
        }
        assertThat(samples.size()).isLessThan(15);
    }

    @Test
    void add_periodBelowOneSecond_usesThePreviousReading() {
        CountHistory samples = new CountHistory(SECOND / 10, 0, Counts.NONE);
        for (long second = 1; second < 10; second++) {
            assertThat(samples.add(second * SECOND, denied(3 * second)).denied())
                    .isEqualTo(3);
        }
    }

    @Test
    void add_timeJumps_usesThePreviousReading() {
        CountHistory samples = new CountHistory(10 * SECOND, 0, Counts.NONE);
        samples.add(SECOND, denied(5));
        assertThat(samples.add(3600 * SECOND, denied(6)).denied()).as("ahead").isEqualTo(1);
        assertThat(samples.add(2 * SECOND, denied(8)).denied()).as("back").isEqualTo(3);
        assertThat(samples.size()).isLessThan(4);
    }

    @Test
    void add_veryLongPeriod_countsEverything() {
        CountHistory samples = new CountHistory(Long.MAX_VALUE, 1_767_225_600 * SECOND, Counts.NONE);
        assertThat(samples.add(1_767_225_601 * SECOND, denied(5)).denied()).isEqualTo(5);
        assertThat(samples.add(1_767_999_999 * SECOND, denied(9)).denied()).isEqualTo(9);
    }
}
