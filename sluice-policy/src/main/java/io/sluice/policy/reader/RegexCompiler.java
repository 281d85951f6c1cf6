package io.sluice.policy.reader;

import com.google.re2j.Pattern;
import com.google.re2j.PatternSyntaxException;
import io.sluice.policy.yaml.Problems;
import java.util.HashMap;
import java.util.Map;

/**
 * Compiles the regular expressions of a file. RE2 matches in linear time, but what it makes of {@code ((a{1000}){1000}){1000}}
 * does not fit into memory: so the size is looked at before, for each and for all together.
 */
final class RegexCompiler {
    static final int LONGEST = 10_000;
    static final long MOST_STEPS = 50_000;
    static final long MOST_STEPS_IN_ALL = 1_000_000;

    private final Map<String, Pattern> compiled = new HashMap<>();
    private long steps;

    /**
     * The expression.
     *
     * @throws IllegalArgumentException if it is none, or too large; the message says what is wrong
     */
    Pattern compile(String regex) {
        Pattern known = compiled.get(regex);
        if (known != null) {
            return known;
        }
        if (regex.length() > LONGEST) {
            throw new IllegalArgumentException(regex.length() + " characters (expected: at most " + LONGEST + ")");
        }
        long size = RegexSize.of(regex);
        if (size > MOST_STEPS) {
            throw new IllegalArgumentException("too large once its repetitions are written out, or nested too deeply"
                    + " (expected: at most " + MOST_STEPS + " steps, and " + RegexSize.MOST_DEPTH + " groups deep)");
        }
        if (steps + size > MOST_STEPS_IN_ALL) {
            throw new IllegalArgumentException("too large together with those before it (expected: at most "
                    + MOST_STEPS_IN_ALL + " steps in a file)");
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
