package io.sluice.adapt;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.math.BigDecimal;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class LoadFactorTest {
    private static final LoadRule RULE = rule("0.8", "0.5", "0.5", "1.5", "0.2", "1.5");

    @Test
    void sample_aboveForAWholeTick_cuts() {
        LoadFactor factor = new LoadFactor(RULE, 0);

        factor.sample(100, 0.9);
        assertThat(factor.advance(999_999)).isFalse();
        assertThat(factor.advance(1_000_000)).isTrue();
        assertThat(factor.factor()).isEqualByComparingTo("0.5");
    }

    @Test
    void samples_notAllAbove_changeNothing() {
        LoadFactor factor = new LoadFactor(RULE, 0);

        factor.sample(100, 0.9);
        factor.sample(200, 0.7);
        factor.sample(300, 0.9);
        assertThat(factor.advance(1_000_000)).isFalse();
    }

    @Test
    void tick_withoutSample_countsTheLatest() {
        LoadFactor factor = new LoadFactor(RULE, 0);

        factor.sample(100, 0.9);
        factor.advance(3_000_000);
        assertThat(factor.factor()).isEqualByComparingTo("0.2");
    }

    @Test
    void tick_beforeAnySample_changesNothing() {
        LoadFactor factor = new LoadFactor(RULE, 0);

        assertThat(factor.advance(100_000_000)).isFalse();
    }

    @Test
    void tick_comesBeforeASampleOfThatTime() {
        LoadFactor factor = new LoadFactor(RULE, 0);

        factor.sample(100, 0.9);
        assertThat(factor.sample(1_000_000, 0.1)).isTrue();
        assertThat(factor.factor()).isEqualByComparingTo("0.5");
    }

    @Test
    void rise_needsThreeTicksAfterACut() {
        LoadFactor factor = new LoadFactor(RULE, 0);
        factor.sample(100, 0.9);
        factor.sample(1_000_000, 0.1);

        factor.advance(3_999_999);
        assertThat(factor.factor()).isEqualByComparingTo("0.5");
        factor.advance(4_000_000);
        assertThat(factor.factor()).isEqualByComparingTo("0.75");
        factor.advance(5_000_000);
        assertThat(factor.factor()).isEqualByComparingTo("1.125");
        factor.advance(6_000_000);
        assertThat(factor.factor()).isEqualByComparingTo("1.5");
        assertThat(factor.advance(7_000_000)).isFalse();
    }

    @Test
    void boundaries_areNeitherAboveNorBelow() {
        LoadFactor factor = new LoadFactor(RULE, 0);

        factor.sample(0, 0.8);
        assertThat(factor.advance(1_000_000)).isFalse();
        factor.sample(1_000_000, 0.5);
        assertThat(factor.advance(2_000_000)).isFalse();
    }

    @Test
    void advance_overYears_isOneStepOfWork_andTicksStayOnTheirGrid() {
        LoadFactor factor = new LoadFactor(RULE, 7);

        factor.sample(100, 0.9);
        factor.advance(7 + 1_000_000L * 1_000_000_000_000L + 5);
        assertThat(factor.factor()).isEqualByComparingTo("0.2");
        assertThat((factor.nextTickMicros() - 7) % 1_000_000).isZero();
        assertThat(factor.nextTickMicros()).isGreaterThan(7 + 1_000_000L * 1_000_000_000_000L + 5);
    }

    @Test
    void skip_doesNotSkipTheTickAfterMixedSamples() {
        LoadFactor factor = new LoadFactor(RULE, 0);

        factor.sample(100, 0.9);
        factor.sample(200, 0.4);
        factor.advance(1_000_000);
        assertThat(factor.factor()).isEqualByComparingTo("1");
        factor.advance(2_000_000);
        assertThat(factor.factor()).isEqualByComparingTo("1.5");
    }

    @Test
    void notANumber_isNoSample() {
        LoadFactor factor = new LoadFactor(RULE, 0);

        factor.sample(100, 0.9);
        factor.sample(200, Double.NaN);
        assertThat(factor.advance(1_000_000)).isTrue();
    }

    @Test
    void silentSignal_changesNothing_untilTheNextSample() {
        LoadFactor factor = new LoadFactor(RULE, 0);
        factor.sample(100, 0.9);
        factor.advance(1_000_000);
        assertThat(factor.silent(1_999_999)).isFalse();

        assertThat(factor.advance(10_000_000)).isFalse();
        assertThat(factor.factor()).isEqualByComparingTo("0.5");
        assertThat(factor.nextChangeMicros()).isEqualTo(Long.MAX_VALUE);
        factor.sample(10_500_000, 0.1);
        factor.advance(12_000_000);
        assertThat(factor.factor()).as("the sample holds again").isEqualByComparingTo("1.125");
    }

    @Test
    void silentSignal_keepsTheSamplesSinceTheLastTick() {
        LoadFactor factor = new LoadFactor(RULE, 0);

        factor.sample(100, 0.9);
        factor.silent(200);
        assertThat(factor.advance(1_000_000)).isTrue();
    }

    @Test
    void factor_isExact() {
        LoadFactor factor = new LoadFactor(rule("0.8", "0.5", "0.9", "1.1", "0.001", "1.5"), 0);

        factor.sample(0, 1);
        factor.advance(5_000_000);
        assertThat(factor.factor()).isEqualByComparingTo("0.59049");
    }

    @Test
    void digits_areBounded() {
        LoadFactor factor = new LoadFactor(rule("0.8", "0.5", "0.7", "1.3", "0.0001", "1000"), 0);
        for (int i = 0; i < 1000; i++) {
            factor.sample(i * 1_000_000L, i % 8 < 3 ? 1 : 0);
        }
        assertThat(factor.factor().precision()).isLessThanOrEqualTo(60);
    }

    @Test
    void rule_withImpossibleValues_isRefused() {
        assertThatThrownBy(() -> rule("0.5", "0.8", "0.5", "1.5", "0.2", "1.5"))
                .hasMessage("below: 0.8 (expected: at most above, which is 0.5)");
        assertThatThrownBy(() -> rule("0.8", "0.5", "1", "1.5", "0.2", "1.5"))
                .hasMessage("down: 1 (expected: more than 0 and less than 1)");
        assertThatThrownBy(() -> rule("0.8", "0.5", "0.5", "1", "0.2", "1.5"))
                .hasMessage("up: 1 (expected: more than 1, at most 1000)");
        assertThatThrownBy(() -> rule("0.8", "0.5", "0.5", "1.5", "0", "1.5"))
                .hasMessage("least: 0 (expected: more than 0, at most 1)");
        assertThatThrownBy(() -> rule("0.8", "0.5", "0.5", "1.5", "0.2", "0.9"))
                .hasMessage("most: 0.9 (expected: 1 to 1000)");
    }

    static LoadRule rule(String above, String below, String down, String up, String least, String most) {
        return new LoadRule(
                new BigDecimal(above),
                new BigDecimal(below),
                new BigDecimal(down),
                new BigDecimal(up),
                new BigDecimal(least),
                new BigDecimal(most),
                Duration.ofSeconds(1));
    }
}
