package io.sluice.policy;

import java.math.BigDecimal;
import org.jspecify.annotations.Nullable;

/**
 * The condition of an alert, such as {@code denied / total > 30%}: {@code term ["/" term] op number}.
 *
 * <ul>
 *   <li>a term is {@code total}, {@code allowed}, {@code denied}, {@code shadow-denied}, {@code degraded}, {@code
 *       evicted} or {@code debt}, see {@link Counts};
 *   <li>op is {@code >}, {@code >=}, {@code <} or {@code <=};
 *   <li>the number is whole or decimal. After a quotient, {@code 30%} is the same as {@code 0.3};
 *       after a single term, {@code %} is refused, because it would be a percentage of nothing.
 * </ul>
 *
 * <p>The arithmetic is exact. Two conditions with the same meaning are equal: {@code denied/total>0.30} equals {@code
 * denied / total > 30%}.
 */
public final class AlertCondition {
    private final Term term;
    private final @Nullable Term of;
    private final Comparison comparison;
    private final BigDecimal number;
    private final String text;

    AlertCondition(Term term, @Nullable Term of, Comparison comparison, BigDecimal number) {
        this.term = term;
        this.of = of;
        this.comparison = comparison;
        this.number = number;
        this.text = canonical();
    }

    /**
     * Parses a condition.
     *
     * @throws IllegalArgumentException if the text is not a condition; the message says where, and what was expected
     */
    public static AlertCondition parse(String text) {
        return new AlertConditionParser(text).parse();
    }

    /** Whether the condition holds for these counts. A quotient with divisor 0 never satisfies a condition. */
    public boolean holds(Counts counts) {
        BigDecimal left = BigDecimal.valueOf(term.of(counts));
        if (of == null) {
            return comparison.holds(left.compareTo(number));
        }
        // Multiplied instead of divided, so that nothing is rounded.
        BigDecimal divisor = BigDecimal.valueOf(of.of(counts));
        return divisor.signum() > 0 && comparison.holds(left.compareTo(divisor.multiply(number)));
    }

    /** Whether it holds when a count is too small. Then it can be judged only after the whole period was watched. */
    public boolean needsWholePeriod() {
        return of == null && (comparison == Comparison.LESS || comparison == Comparison.AT_MOST);
    }

    /** Whether it is about decisions. A debt alone is not: it may grow by charges by force, which decide nothing. */
    public boolean isAboutDecisions() {
        return of != null || term != Term.DEBT;
    }

    private String canonical() {
        if (of == null) {
            return term + " " + comparison + " " + plain(number);
        }
        return term + " / " + of + " " + comparison + " " + plain(number.movePointRight(2)) + "%";
    }

    private static String plain(BigDecimal number) {
        return number.stripTrailingZeros().toPlainString();
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof AlertCondition condition && text.equals(condition.text);
    }

    @Override
    public int hashCode() {
        return text.hashCode();
    }

    /** The canonical text, which parses to an equal condition. A quotient is written with a percentage. */
    @Override
    public String toString() {
        return text;
    }

    /** A count in a condition. */
    enum Term {
        TOTAL("total"),
        ALLOWED("allowed"),
        DENIED("denied"),
        SHADOW_DENIED("shadow-denied"),
        DEGRADED("degraded"),
        EVICTED("evicted"),
        DEBT("debt");

        private final String text;

        Term(String text) {
            this.text = text;
        }

        long of(Counts counts) {
            return switch (this) {
                case TOTAL -> counts.total();
                case ALLOWED -> counts.allowed();
                case DENIED -> counts.denied();
                case SHADOW_DENIED -> counts.shadowDenied();
                case DEGRADED -> counts.degraded();
                case EVICTED -> counts.evicted();
                case DEBT -> counts.debt();
            };
        }

        @Override
        public String toString() {
            return text;
        }
    }

    /** A comparison operator. */
    enum Comparison {
        MORE(">"),
        AT_LEAST(">="),
        LESS("<"),
        AT_MOST("<=");

        private final String text;

        Comparison(String text) {
            this.text = text;
        }

        boolean holds(int sign) {
            return switch (this) {
                case MORE -> sign > 0;
                case AT_LEAST -> sign >= 0;
                case LESS -> sign < 0;
                case AT_MOST -> sign <= 0;
            };
        }

        @Override
        public String toString() {
            return text;
        }
    }
}
