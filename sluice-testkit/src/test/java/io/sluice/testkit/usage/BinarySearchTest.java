package io.sluice.testkit.usage;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class BinarySearchTest {
    @ParameterizedTest
    @ValueSource(longs = {0, 1, 2, 3, 99, 100, 101, 199, 200, 201, 1L << 52})
    void least_anyGuess_findsTheFirst(long answer) {
        for (long guess : new long[] {0, 1, 100, 1L << 53}) {
            assertThat(BinarySearch.least(guess, x -> x >= answer)).isEqualTo(answer);
        }
    }
}
