package io.sluice.policy.match;

import java.util.Arrays;

/**
 * The tokens of a glob: characters, stars, and deep stars (two stars or more in a row). Its own matching takes time
 * proportional to the product of both lengths. {@link BitParallelGlob} is faster, for globs of at most 63 tokens.
 */
final class GlobTokens implements CompiledGlob.Part {
    private static final int STAR = -1;
    private static final int DEEP = -2;

    /** A character, {@link #STAR} or {@link #DEEP}. */
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
        // at[i]: the value so far matches the first i tokens.
        boolean[] at = new boolean[tokens.length + 1];
        at[0] = true;
        skipStars(at);
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
            skipStars(at);
        }
        return at[tokens.length];
    }

    /** Skips stars, which may stand for the empty text. */
    private void skipStars(boolean[] at) {
        for (int i = 0; i < tokens.length; i++) {
            at[i + 1] |= at[i] && tokens[i] < 0;
        }
    }
}
