package io.sluice.policy.yaml;

import io.sluice.policy.JsonText;
import io.sluice.policy.PolicyException;
import io.sluice.policy.Problem;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Collects the problems of one file. A problem that aliases repeat is kept once. Each problem takes one line of bounded
 * length, whatever the file contains.
 */
public final class Problems {
    /** The maximum number of problems that are kept. A file of a few megabytes could have millions. */
    public static final int MAX_PROBLEMS = 1000;

    private static final int MAX_MESSAGE = 500;
    private static final int MAX_QUOTE = 80;

    private final String source;
    private final Set<Problem> seen = new HashSet<>();
    private final List<Problem> found = new ArrayList<>();
    private long more;

    public Problems(String source) {
        this.source = source;
    }

    public void error(SourcePosition at, String message) {
        add(Problem.Severity.ERROR, at, message);
    }

    public void warning(SourcePosition at, String message) {
        add(Problem.Severity.WARNING, at, message);
    }

    private void add(Problem.Severity severity, SourcePosition at, String message) {
        if (isFull()) {
            more++;
            return;
        }
        Problem problem = new Problem(severity, source, at.line(), at.column(), oneLine(message));
        if (seen.add(problem)) {
            found.add(problem);
        }
    }

    /** Whether further problems are only counted. */
    public boolean isFull() {
        return found.size() >= MAX_PROBLEMS;
    }

    public boolean isEmpty() {
        return found.isEmpty();
    }

    /** The problems, in the order of the text. */
    public List<Problem> list() {
        List<Problem> sorted = new ArrayList<>(found);
        sorted.sort(Comparator.comparing(problem -> new SourcePosition(problem.line(), problem.column())));
        if (more > 0) {
            Problem last = sorted.get(sorted.size() - 1);
            sorted.add(new Problem(last.severity(), source, last.line(), last.column(), "and " + more + " more"));
        }
        return sorted;
    }

    public PolicyException exception() {
        return new PolicyException(list());
    }

    /** Adds a problem that ends the reading, and returns the exception to throw. */
    public PolicyException fatal(SourcePosition at, String message) {
        error(at, message);
        return exception();
    }

    /** A text of the file for a message: in quotes, and shortened if it is long. */
    public static String quoted(String text) {
        return JsonText.quoted(shorten(text, MAX_QUOTE));
    }

    private static String oneLine(String message) {
        String shortened = shorten(message, MAX_MESSAGE);
        StringBuilder out = new StringBuilder(shortened.length());
        shortened.codePoints().forEach(c -> {
            if (Character.isISOControl(c) || c == 0x2028 || c == 0x2029) {
                out.append(String.format("\\u%04x", c));
            } else {
                out.appendCodePoint(c);
            }
        });
        return out.toString();
    }

    private static String shorten(String text, int longest) {
        if (text.length() <= longest) {
            return text;
        }
        int end = Character.isHighSurrogate(text.charAt(longest - 1)) ? longest - 1 : longest;
        return text.substring(0, end) + "…";
    }
}
