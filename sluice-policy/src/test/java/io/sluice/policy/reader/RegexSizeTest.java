package io.sluice.policy.reader;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.re2j.Pattern;
import com.google.re2j.PatternSyntaxException;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RegexSizeTest {
    private static final List<String> PIECES = List.of(
            "a",
            "(",
            "(",
            ")",
            ")",
            "(?:",
            "(?i)",
            "[",
            "]",
            "[^",
            "[]",
            "[:alpha:]",
            "\\",
            "\\Q",
            "\\E",
            "\\x{61}",
            "\\pL",
            "\\p{Greek}",
            "{3}",
            "{2,5}",
            "{7,}",
            "{0}",
            "{03}",
            "{,4}",
            "{",
            "}",
            "*",
            "+?",
            "?",
            "|",
            "^",
            "$",
            ".",
            "\\d",
            "-",
            "😀");

    @ParameterizedTest
    @ValueSource(
            strings = {
                "", "a", "[a-z0-9-]{1,63}(\\.[a-z0-9-]{1,63}){0,10}", "(a{30}){30}", "([)]a{10}){10}", "(\\)a{10}){10}",
                "([])]a{10}){10}", "([^])]a{10}){10}", "([[:alpha:])]a{10}){10}", "(\\Q)\\Ea{10}){10}",
                        "((a|b){5}c){9}", "\\pL{100}"
            })
    void size_ofAnExpression_isAboutItsProgram(String regex) {
        assertThat(RegexSize.of(regex) + 3)
                .isGreaterThanOrEqualTo(Pattern.compile(regex).programSize() / 2)
                .isLessThan(4L * Pattern.compile(regex).programSize() + 100);
    }

    @Test
    void size_randomExpressions_isNeverMuchLessThanTheProgram() {
        int valid = 0;
        for (long seed = 0; seed < 30_000; seed++) {
            Random random = new Random(seed);
            StringBuilder regex = new StringBuilder();
            for (int i = random.nextInt(14); i >= 0; i--) {
                regex.append(PIECES.get(random.nextInt(PIECES.size())));
            }
            long size = RegexSize.of(regex.toString());
            if (size > RegexCompiler.MAX_STEPS) {
                continue;
            }
            try {
                int program = Pattern.compile(regex.toString()).programSize();
                assertThat(program).as("seed %s: %s", seed, regex).isLessThanOrEqualTo((int) (3 * size + 10));
                valid++;
            } catch (PatternSyntaxException e) {
                // Not every random text is a valid expression.
            }
        }
        assertThat(valid).isGreaterThan(2000);
    }

    @Test
    void size_deepOrHugeExpression_exceedsEveryBound() {
        assertThat(RegexSize.of("((((a{1000}){1000}){1000}){1000}){1000}{1000}{1000}{9999}"))
                .isGreaterThan(RegexCompiler.MAX_STEPS);
        assertThat(RegexSize.of("(".repeat(201) + ")".repeat(201))).isGreaterThan(RegexCompiler.MAX_STEPS);
        assertThat(RegexSize.of("(".repeat(200) + ")".repeat(200))).isLessThan(RegexCompiler.MAX_STEPS);
    }
}
