package io.sluice.policy.reader;

import com.google.re2j.Pattern;
import com.google.re2j.PatternSyntaxException;
import io.sluice.policy.yaml.Problems;
import java.util.HashMap;
import java.util.Map;

/**
 * Compiles the regular expressions of a file. RE2 matches in linear time, but the compiled form of {@code
 * ((a{1000}){1000}){1000}} does not fit into memory. So the size of each expression, and of all together, is checked
 * first.
 */
final class RegexCompiler {
    static final int MAX_LENGTH = 10_000;
    static final long MAX_STEPS = 50_000;
    static final long MAX_STEPS_IN_FILE = 1_000_000;

    private final Map<String, Pattern> compiled = new HashMap<>();
    private long steps;

    /**
     * Compiles an expression.
     *
     * @throws IllegalArgumentException if it is invalid or too large; the message says what is wrong
     */
    Pattern compile(String regex) {
        Pattern known = compiled.get(regex);
        if (known != null) {
            return known;
        }
        if (regex.length() > MAX_LENGTH) {
            throw new IllegalArgumentException(regex.length() + " characters (expected: at most " + MAX_LENGTH + ")");
        }
        long size = RegexSize.of(regex);
        if (size > MAX_STEPS) {
            throw new IllegalArgumentException("too large when its repetitions are expanded, or nested too deeply"
                    + " (expected: at most " + MAX_STEPS + " steps, and " + RegexSize.MAX_DEPTH + " groups deep)");
        }
        if (steps + size > MAX_STEPS_IN_FILE) {
            throw new IllegalArgumentException(
                    "too large together with the regular expressions before it (expected: at most " + MAX_STEPS_IN_FILE
                            + " steps in a file)");
        }
        steps += size;
        try {
            Pattern pattern = Pattern.compile(regex);
            compiled.put(regex, pattern);
            return pattern;
        } catch (PatternSyntaxException e) {
            String what = e.getDescription() + (e.getPattern() == null ? "" : " " + Problems.quoted(e.getPattern()));
            throw new IllegalArgumentException(what + " (expected: a regular expression of RE2)", e);
        }
    }
}
