package io.sluice.testkit.usage;

import static org.assertj.core.api.Assertions.assertThat;

import java.math.BigInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class FractionTest {
    @ParameterizedTest
    @CsvSource({"7, 2, 3, 4", "-7, 2, -4, -3", "6, 2, 3, 3", "-6, 2, -3, -3", "0, 5, 0, 0", "-1, 3, -1, 0"})
    void floorAndCeil_anySign_areTheNearestWholes(long numerator, long denominator, long floor, long ceil) {
        assertThat(Fraction.of(numerator, denominator).floor()).isEqualTo(floor);
        assertThat(Fraction.of(numerator, denominator).ceil()).isEqualTo(ceil);
    }

    @Test
    void arithmetic_differentDenominators_isExact() {
        Fraction sum = Fraction.of(1, 6).plus(Fraction.of(1, 4)).minus(Fraction.of(5, 12));

        assertThat(sum.signum()).isZero();
        assertThat(Fraction.of(2, 4)).isEqualTo(Fraction.of(1, 2));
        assertThat(Fraction.of(1, 3).times(6).compareTo(Fraction.of(2))).isZero();
        assertThat(Fraction.of(1, 3).max(Fraction.of(2, 7)).compareTo(Fraction.of(1, 3)))
                .isZero();
        assertThat(Fraction.of(1, 3).min(Fraction.of(2, 7)).compareTo(Fraction.of(2, 7)))
                .isZero();
    }

    @Test
    void upToMultipleOf_between_isTheNextAbove() {
        assertThat(Fraction.of(1, 3).upToMultipleOf(BigInteger.TEN))
                .isEqualTo(new Fraction(BigInteger.valueOf(4), BigInteger.TEN));
        assertThat(Fraction.of(1, 5).upToMultipleOf(BigInteger.TEN))
                .isEqualTo(new Fraction(BigInteger.TWO, BigInteger.TEN));
    }
}
