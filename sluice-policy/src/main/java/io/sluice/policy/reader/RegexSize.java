package io.sluice.policy.reader;

import java.util.ArrayDeque;
import java.util.Deque;

/*
 * RE2 expands a repetition: x{3} becomes xxx. So the size is a sum over adjacent parts and a product over nested parts.
 * This class recognises groups, character classes and escapes; no other syntax matters. RE2 refuses an expression with
 * unbalanced brackets before it expands anything, so the size of such an expression does not matter.
 */
/** Estimates the maximum size of a regular expression after its repetitions are expanded. */
final class RegexSize {
    /** Bounds the nesting, because RE2/J parses groups recursively. */
    static final int MAX_DEPTH = 200;

    private static final long TOO_LARGE = Long.MAX_VALUE / 16_384;

    private final String regex;
    private int at;

    /** The sizes of the groups around the current position, the innermost on top. */
    private final Deque<Long> around = new ArrayDeque<>();

    /** The size of the current group so far, without the last item, which may still be repeated. */
    private long before;

    private long item;

    private RegexSize(String regex) {
        this.regex = regex;
    }

    /** About the number of steps of the compiled expression; larger than any bound if it is nested too deeply. */
    static long of(String regex) {
        return new RegexSize(regex).measure();
    }

    private long measure() {
        while (at < regex.length()) {
            char c = regex.charAt(at++);
            switch (c) {
                case '\\' -> escape();
                case '[' -> charClass();
                case '(' -> {
                    if (around.size() == MAX_DEPTH) {
                        return TOO_LARGE;
                    }
                    next(0);
                    around.push(before);
                    before = 0;
                }
                case ')' -> {
                    long inside = sum(before, item) + 2;
                    before = around.isEmpty() ? 0 : around.pop();
                    item = inside;
                }
                case '{' -> repetition();
                default -> next(1);
            }
        }
        return sum(before, item);
    }

    private void next(long size) {
        before = sum(before, item);
        item = size;
    }

    private void escape() {
        if (regex.startsWith("Q", at)) {
            int end = regex.indexOf("\\E", at);
            int stop = end < 0 ? regex.length() : end;
            // Literal text. A repetition after it repeats only its last letter; counting all of it is an upper bound.
            next(stop - at);
            at = end < 0 ? stop : end + 2;
        } else {
            at = Math.min(at + 1, regex.length());
            // As in \x{10ffff} or \p{Greek}: not a repetition.
            if (regex.startsWith("{", at) && "xpP".indexOf(regex.charAt(at - 1)) >= 0) {
                int end = regex.indexOf('}', at);
                at = end < 0 ? regex.length() : end + 1;
            }
            next(1);
        }
    }

    private void charClass() {
        if (regex.startsWith("^", at)) {
            at++;
        }
        // A closing bracket in first position is a literal.
        if (regex.startsWith("]", at)) {
            at++;
        }
        while (at < regex.length() && regex.charAt(at) != ']') {
            if (regex.charAt(at) == '\\') {
                at++;
            } else if (regex.startsWith("[:", at)) {
                int end = regex.indexOf(":]", at + 2);
                at = end < 0 ? at : end + 1;
            }
            at++;
        }
        at = Math.min(at + 1, regex.length());
        next(1);
    }

    private void repetition() {
        int end = regex.indexOf('}', at);
        String[] counts = end < 0 ? new String[0] : regex.substring(at, end).split(",", -1);
        if (counts.length == 0 || counts.length > 2 || !isCount(counts[0])) {
            next(1);
            return;
        }
        long least = Long.parseLong(counts[0]);
        long most = counts.length == 2 && isCount(counts[1]) ? Long.parseLong(counts[1]) : least + 1;
        // Each optional copy takes one more step.
        item = Math.min(TOO_LARGE, (item + 1) * Math.max(1, Math.max(least, most)));
        at = end + 1;
    }

    /** RE2 repeats at most 1000 times, and refuses larger numbers. */
    private static boolean isCount(String text) {
        return !text.isEmpty() && text.length() <= 4 && text.chars().allMatch(c -> c >= '0' && c <= '9');
    }

    private static long sum(long a, long b) {
        return Math.min(TOO_LARGE, a + b);
    }
}
