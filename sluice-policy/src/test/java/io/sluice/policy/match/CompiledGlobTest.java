package io.sluice.policy.match;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import io.sluice.policy.NaiveMatch;
import java.time.Duration;
import java.util.Random;
import org.junit.jupiter.api.Test;

class CompiledGlobTest {
    @Test
    void glob_anyPatternAndValue_agreesWithBacktracking() {
        int matched = 0;
        for (int seed = 0; seed < 100_000; seed++) {
            Random random = new Random(seed);
            String pattern = text(random, "****ab/\u00e9", 7);
            String value = text(random, "aab/\u00e9", 7);
            boolean expected = NaiveMatch.glob(pattern, value);
            matched += expected ? 1 : 0;
            assertThat(CompiledGlob.of(pattern).holds(value))
                    .as("seed %d: %s like %s", seed, value, pattern)
                    .isEqualTo(expected);
            assertThat(GlobTokens.of(pattern).holds("x" + value + "x", 1, value.length() + 1))
                    .as("seed %d: %s like %s", seed, value, pattern)
                    .isEqualTo(expected);
        }
        assertThat(matched).isGreaterThan(5_000);
    }

    private static String text(Random random, String alphabet, int longest) {
        StringBuilder text = new StringBuilder();
        for (int i = random.nextInt(longest + 1); i > 0; i--) {
            text.append(alphabet.charAt(random.nextInt(alphabet.length())));
        }
        return text.toString();
    }

    @Test
    void glob_of63TokensAndMore_matches() {
        for (int length = 55; length < 80; length++) {
            CompiledCondition check = CompiledGlob.of("*" + "a".repeat(length) + "*");
            assertThat(check.holds("b" + "a".repeat(length) + "b")).isTrue();
            assertThat(check.holds("a".repeat(length - 1))).isFalse();
            assertThat(check.holds("/" + "a".repeat(length))).isFalse();
        }
    }

    @Test
    void glob_manyStars_areLinear() {
        String value = "a".repeat(100_000);
        assertTimeoutPreemptively(
                Duration.ofSeconds(10),
                () -> assertThat(CompiledGlob.of("**a*a".repeat(12) + "*b*").holds(value))
                        .isFalse());
        assertThatCode(() -> CompiledGlob.of("*a".repeat(200) + "*b*").holds("a".repeat(5_000)))
                .doesNotThrowAnyException();
    }
}
