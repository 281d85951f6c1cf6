package io.sluice.server.simulate.chart;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TimelineTest {
    @Test
    void bins_asTimeGrows_staySmallAndLoseNothing() {
        Timeline timeline = new Timeline();
        BinCounts counts = new BinCounts(timeline);
        BinCounts rare = new BinCounts(timeline);
        Random random = new Random(1);
        long added = 0;
        rare.add(0);
        for (long time = 0; time < 1L << 53; time += 1 + (random.nextLong(time + 1) >> 6)) {
            counts.add(time);
            added++;
        }
        rare.add((1L << 53) - 1);

        assertThat(timeline.bins()).isBetween(100, Timeline.MOST_BINS);
        assertThat(timeline.width() * timeline.bins()).isGreaterThanOrEqualTo(1L << 53);
        assertThat(counts.sums(1)).hasSize(timeline.bins());
        assertThat(Arrays.stream(counts.sums(7)).sum()).isEqualTo(added);
        assertThat(rare.sums(1)[0]).isEqualTo(1);
        assertThat(rare.sums(1)[timeline.bins() - 1]).isEqualTo(1);
    }

    @Test
    void levels_whenMerged_keepRangeAndEnd() {
        Timeline timeline = new Timeline();
        BinRanges levels = new BinRanges(timeline);
        levels.add(100, 5);
        levels.add(101, 9);
        levels.add(102, 0);
        levels.add(103, 3);
        levels.add(1_000_100, 7);

        assertThat(timeline.width()).isEqualTo(2000);
        assertThat(levels.least(0)).isEqualTo(0);
        assertThat(levels.most(0)).isEqualTo(9);
        assertThat(levels.last(0)).isEqualTo(3);
        assertThat(levels.isEmpty(1)).isTrue();
        assertThat(levels.isEmpty(500)).isFalse();
        assertThat(levels.last(500)).isEqualTo(7);
    }

    @ParameterizedTest
    @CsvSource({
        "0, 0",
        "5, 5 µs",
        "1000, 1 ms",
        "1500, 1.5 ms",
        "1200000, 1.2 s",
        "59000000, 59 s",
        "60000000, 1 min",
        "90000000, 1 min 30 s",
        "3600000000, 1 h",
        "5400000000, 1 h 30 min",
        "86400000000, 1 d",
        "129600000000, 1 d 12 h"
    })
    void time_isSaidAsPeopleDo(long micros, String text) {
        assertThat(TimeScale.text(micros)).isEqualTo(text);
    }
}
