package io.sluice.policy;

import java.util.Arrays;

/**
 * A glob as characters and stars: a run of two stars or more is one deep star. Matches by itself in at most the product of
 * both lengths; {@link GlobBits} is faster where it can be used.
 */
final class GlobTokens implements GlobCheck.Part {
    private static final int STAR = -1;
    private static final int DEEP = -2;

    /** Characters, or a star. */
    private final int[] tokens;

    private GlobTokens(int[] tokens) {
        this.tokens = tokens;
    }

    static GlobTokens of(String pattern) {
        int[] tokens = new int[pattern.length()];
        int size = 0;
        for (int i = 0; i < pattern.length(); i++) {
            char c = pattern.charAt(i);
            if (c != '*') {
                tokens[size++] = c;
            } else if (i > 0 && pattern.charAt(i - 1) == '*') {
                tokens[size - 1] = DEEP;
            } else {
                tokens[size++] = STAR;
            }
        }
        return new GlobTokens(Arrays.copyOf(tokens, size));
    }

    int size() {
        return tokens.length;
    }

    boolean isStar(int i) {
        return tokens[i] == STAR;
    }

    boolean isDeep(int i) {
        return tokens[i] == DEEP;
    }

    char character(int i) {
        return (char) tokens[i];
    }

    @Override
    public boolean holds(String value, int from, int to) {
        // at[i]: the value so far is like the first i tokens.
        boolean[] at = new boolean[tokens.length + 1];
        at[0] = true;
        pass(at);
        for (int k = from; k < to; k++) {
            char c = value.charAt(k);
            for (int i = tokens.length; i > 0; i--) {
                int token = tokens[i - 1];
                if (token == DEEP || (token == STAR && c != '/')) {
                    at[i] |= at[i - 1];
                } else {
                    at[i] = token == c && at[i - 1];
                }
            }
            at[0] = false;
            pass(at);
        }
        return at[tokens.length];
    }

    /** A star may stand for nothing. */
    private void pass(boolean[] at) {
        for (int i = 0; i < tokens.length; i++) {
            at[i + 1] |= at[i] && tokens[i] < 0;
        }
    }
}
