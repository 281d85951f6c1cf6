package io.sluice.spi;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.Limit;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PredecessorsTest {
    @ParameterizedTest
    @CsvSource({
        // A limit that stays keeps its own state.
        "1/s 2/s,                   2/s 1/s,                   1 0",
        "1/s 2/s,                   2/s 3/s,                   1 0",
        "1/s 1/s,                   1/s 1/s,                   0 1",
        // Others in order,
        "1/s 2/s,                   3/s 4/s,                   0 1",
        // but first from one that counts alike.
        "1/s concurrency_1,         concurrency_2 2/s,         1 0",
        "concurrency_1 1/s,         2/s 3/s,                   1 0",
        "unlimited 1/s,             2/s blocked,               1 0",
        "1/s 2/s,                   concurrency_1 concurrency_2, 0 1",
        // One more, and one less.
        "1/s,                       concurrency_1 2/s,         -1 0",
        "1/s,                       2/s 3/s,                   0 -1",
        "concurrency_1 unlimited 1/s, 2/s,                     2",
        "1/s 2/s,                   3/s,                       0"
    })
    void of_limits_areTheOldLimitsThatTheyTakeOver(String before, String after, String expected) {
        assertThat(Predecessors.of(limits(before), limits(after)))
                .containsExactly(Stream.of(expected.split(" "))
                        .mapToInt(Integer::parseInt)
                        .toArray());
    }

    private static List<Limit> limits(String texts) {
        return Stream.of(texts.split(" "))
                .map(text -> Limit.parse(text.replace('_', ' ')))
                .toList();
    }
}
