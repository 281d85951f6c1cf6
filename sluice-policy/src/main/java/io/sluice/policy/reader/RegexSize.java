package io.sluice.policy.reader;

import java.util.ArrayDeque;
import java.util.Deque;

/*
 * RE2 writes a repetition out: x{3} becomes xxx. So the size is a sum over what stands side by side and a product over
 * what is nested. To know which, groups, classes and escapes are told apart; nothing else of the syntax matters. Where
 * the brackets do not pair, RE2 refuses the expression before it writes anything out, and so the size does not matter.
 */
/** How large a regular expression becomes, at most, when its repetitions are written out. */
final class RegexSize {
    /** RE2/J reads groups recursively. */
    static final int MOST_DEPTH = 200;

    private static final long TOO_LARGE = Long.MAX_VALUE / 16_384;

    private final String regex;
    private int at;

    /** The size of each group around the place, the innermost on top. */
    private final Deque<Long> around = new ArrayDeque<>();

    /** The size of the group at the place so far, without the last item: that may be repeated yet. */
    private long before;

    private long item;

    private RegexSize(String regex) {
        this.regex = regex;
    }

    /** About as many steps as the compiled expression has; more than any limit if it is nested too deeply. */
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
                    if (around.size() == MOST_DEPTH) {
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
            // Literal text: a repetition after it is of its last letter, which is less than of all.
            next(stop - at);
            at = end < 0 ? stop : end + 2;
        } else {
            at = Math.min(at + 1, regex.length());
            // As in \x{10ffff} or \p{Greek}: no repetition.
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
        // A bracket that comes first is a letter.
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
        // Each copy of what may be left out takes a step more.
        item = Math.min(TOO_LARGE, (item + 1) * Math.max(1, Math.max(least, most)));
        at = end + 1;
    }

    /** RE2 repeats at most 1000 times; what has more digits it refuses. */
    private static boolean isCount(String text) {
        return !text.isEmpty() && text.length() <= 4 && text.chars().allMatch(c -> c >= '0' && c <= '9');
    }

    private static long sum(long a, long b) {
        return Math.min(TOO_LARGE, a + b);
    }
}
