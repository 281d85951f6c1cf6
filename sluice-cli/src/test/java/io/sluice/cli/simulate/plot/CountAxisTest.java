package io.sluice.cli.simulate.plot;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class CountAxisTest {
    @ParameterizedTest
    @CsvSource({
        "0, 1, 1",
        "1, 1, 1",
        "4, 1, 4",
        "5, 2, 6",
        "9, 5, 10",
        "40, 10, 40",
        "41, 20, 60",
        "101000, 50000, 150000"
    })
    void axis_isRound(long max, long step, long top) {
        assertThat(CountAxis.upTo(max, 4)).isEqualTo(new CountAxis(step, top));
    }

    @ParameterizedTest
    @CsvSource({"0, 0", "9999, 9999", "20000, 20k", "1500000, 1.5M", "5000000, 5M", "1500000000000000, 1.5P"})
    void count_isSaidInFewLetters(long value, String text) {
        assertThat(CountAxis.text(value)).isEqualTo(text);
    }
}
