package io.sluice.policy;

import io.sluice.policy.AlertCondition.Comparison;
import io.sluice.policy.AlertCondition.Term;
import java.math.BigDecimal;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Parses one {@link AlertCondition}. */
final class AlertConditionParser {
    private static final Pattern TOKEN = Pattern.compile("[a-zA-Z][a-zA-Z-]*|[<>]=?|[0-9][0-9.]*|\\S");
    private static final Pattern NUMBER = Pattern.compile("[0-9]+(\\.[0-9]+)?");

    private static final String TERM = "total, allowed, denied, shadow-denied, degraded, evicted or debt";
    private static final String COMPARISON = ">, >=, < or <=";

    private final String text;
    private final Matcher tokens;

    /** The current token, empty at the end, and its index in the text. */
    private String token = "";

    private int start;

    AlertConditionParser(String text) {
        this.text = text;
        tokens = TOKEN.matcher(text);
        next();
    }

    AlertCondition parse() {
        Term term = term();
        Term of = null;
        if (token.equals("/")) {
            next();
            of = term();
        }
        Comparison comparison = comparison(of == null ? "/ or " + COMPARISON : COMPARISON);
        BigDecimal number = number();
        if (of != null && token.equals("%")) {
            number = number.movePointLeft(2);
            next();
        }
        if (!token.isEmpty()) {
            throw error(
                    token.equals("%") && of == null
                            ? "the end of the text; a percentage needs a quotient, as in denied / total > 30%"
                            : "the end of the text");
        }
        return new AlertCondition(term, of, comparison, number);
    }

    private Term term() {
        for (Term term : Term.values()) {
            if (term.toString().equals(token)) {
                next();
                return term;
            }
        }
        throw error(TERM);
    }

    private Comparison comparison(String expected) {
        for (Comparison comparison : Comparison.values()) {
            if (comparison.toString().equals(token)) {
                next();
                return comparison;
            }
        }
        throw error(expected);
    }

    private BigDecimal number() {
        if (!NUMBER.matcher(token).matches()) {
            throw error("a number such as 100, 0.5 or 30%");
        }
        BigDecimal number = new BigDecimal(token);
        next();
        return number;
    }

    private void next() {
        boolean found = tokens.find();
        start = found ? tokens.start() : text.length();
        token = found ? tokens.group() : "";
    }

    private IllegalArgumentException error(String expected) {
        return new IllegalArgumentException("condition " + JsonText.quoted(text) + ", column " + (start + 1) + ": "
                + (token.isEmpty() ? "nothing" : JsonText.quoted(token)) + " (expected: " + expected + ")");
    }
}
