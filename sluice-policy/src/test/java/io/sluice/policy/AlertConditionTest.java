package io.sluice.policy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class AlertConditionTest {
    private static boolean holds(String condition, Counts counts) {
        return AlertCondition.parse(condition).holds(counts);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            value = {
                "denied / total > 30%;         denied / total > 30%",
                "denied/total>30 %;            denied / total > 30%",
                "denied / total > 0.30;        denied / total > 30%",
                "shadow-denied/allowed<=012.50%; shadow-denied / allowed <= 12.5%",
                "degraded / total >= 0;        degraded / total >= 0%",
                "denied / allowed > 2;         denied / allowed > 200%",
                "total < 100;                  total < 100",
                "total < 100.00;               total < 100",
                "denied > 0.5;                 denied > 0.5",
                "denied / total > 123456789012345678; denied / total > 12345678901234567800%",
                "denied / total > 0.0000000000000000000000001; denied / total > 0.00000000000000000000001%",
            })
    void toString_anyCondition_isCanonicalAndParsesBack(String text, String canonical) {
        AlertCondition condition = AlertCondition.parse(text);
        assertThat(condition).hasToString(canonical);
        assertThat(AlertCondition.parse(canonical)).isEqualTo(condition).hasSameHashCodeAs(condition);
    }

    @Test
    void equals_otherCondition_isFalse() {
        assertThat(AlertCondition.parse("denied / total > 30%")).isNotEqualTo(AlertCondition.parse("denied > 30"));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            quoteCharacter = '`',
            value = {
                "``;                     1; nothing; total, allowed, denied, shadow-denied, degraded, evicted or debt",
                "refused > 3;            1; \"refused\"; total, allowed, denied, shadow-denied, degraded, evicted or debt",
                "Denied > 3;             1; \"Denied\"; total, allowed, denied, shadow-denied, degraded, evicted or debt",
                "denied / totl > 3;      10; \"totl\"; total, allowed, denied, shadow-denied, degraded, evicted or debt",
                "denied / ;              9; nothing; total, allowed",
                "denied;                 7; nothing; / or >, >=, < or <=",
                "denied = 3;             8; \"=\"; / or >, >=, < or <=",
                "denied / total == 3;    16; \"=\"; >, >=, < or <=",
                "denied / total / 3;     16; \"/\"; >, >=, < or <=",
                "denied / total >;       17; nothing; a number",
                "denied > -3;            10; \"-\"; a number",
                "denied > 1.;            10; \"1.\"; a number",
                "denied > 1.2.3;         10; \"1.2.3\"; a number",
                "denied > .5;            10; \".\"; a number",
                "denied > 30%;           12; \"%\"; `the end of the text; a percentage needs a quotient`",
                "denied / total > 30%%;  21; \"%\"; the end of the text",
                "denied > 3 allowed;     12; \"allowed\"; the end of the text",
                "denied > 1e3;           11; \"e\"; the end of the text",
                "denied > ٣;             10; \"٣\"; a number",
            })
    void parse_badText_namesPositionAndExpectation(String text, int column, String what, String expected) {
        assertThatThrownBy(() -> AlertCondition.parse(text))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith(
                        "condition \"" + text + "\", column " + column + ": " + what + " (expected: " + expected);
    }

    @Test
    void holds_atTheEdge_isExact() {
        Counts third = new Counts(2, 1, 0, 0);
        assertThat(holds("denied / total > 33.3333333333333333333333%", third)).isTrue();
        assertThat(holds("denied / total > 33.3333333333333333333334%", third)).isFalse();
        Counts tenth = new Counts(9, 1, 0, 0);
        assertThat(holds("denied / total > 10%", tenth)).isFalse();
        assertThat(holds("denied / total >= 10%", tenth)).isTrue();
        assertThat(holds("denied / total < 10%", tenth)).isFalse();
        assertThat(holds("denied / total <= 10%", tenth)).isTrue();
        Counts huge = new Counts(Long.MAX_VALUE - 1, 1, 0, 0);
        assertThat(holds("allowed / total >= 100%", huge)).isFalse();
        assertThat(holds("allowed / total > 99.9999999999999999%", huge)).isTrue();
    }

    @ParameterizedTest
    @CsvSource({
        "total > 6, false", "total >= 6, true",
        "allowed > 0, true", "allowed > 1, false",
        "denied > 1, true", "denied > 2, false",
        "shadow-denied > 2, true", "shadow-denied > 3, false",
        "degraded > 4, true", "degraded > 5, false"
    })
    void holds_eachTerm_usesItsCount(String condition, boolean expected) {
        assertThat(holds(condition, new Counts(1, 2, 3, 5))).isEqualTo(expected);
    }

    @ParameterizedTest
    @CsvSource({"denied / total > 0", "denied / total >= 0", "denied / total < 1", "denied / total <= 100%"})
    void holds_quotientByZero_isFalse(String condition) {
        assertThat(holds(condition, Counts.NONE)).isFalse();
    }
}
