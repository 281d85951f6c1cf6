package io.sluice.policy.match;

/*
 * Bit-parallel matching (shift-and). The bits of one long are the positions in the pattern that a match may have
 * reached. Each character of the value moves all of them by one shift: positions before that character go on, positions
 * at a star stay. So the time is linear in the length of the value for any number of stars, and nothing is allocated.
 */
/** A glob of at most 63 tokens. */
final class BitParallelGlob implements CompiledGlob.Part {
    static final int MAX_TOKENS = Long.SIZE - 1;

    private final long[] ascii = new long[128];
    private final String others;
    private final long[] otherBits;
    private final long stars;
    private final long deep;
    private final long end;

    BitParallelGlob(GlobTokens tokens) {
        long[] bits = new long[tokens.size()];
        StringBuilder seen = new StringBuilder();
        long anyStars = 0;
        long deepStars = 0;
        for (int i = 0; i < tokens.size(); i++) {
            long bit = 1L << i;
            if (tokens.isDeep(i)) {
                deepStars |= bit;
            } else if (tokens.isStar(i)) {
                anyStars |= bit;
            } else if (tokens.character(i) < ascii.length) {
                ascii[tokens.character(i)] |= bit;
            } else {
                bits[seen.length()] = bit;
                seen.append(tokens.character(i));
            }
        }
        others = seen.toString();
        otherBits = bits;
        stars = anyStars;
        deep = deepStars;
        end = 1L << tokens.size();
    }

    @Override
    public boolean holds(String value, int from, int to) {
        long at = skipStars(1);
        for (int i = from; i < to && at != 0; i++) {
            char c = value.charAt(i);
            long stay = c == '/' ? deep : deep | stars;
            at = skipStars((at & bits(c)) << 1 | (at & stay));
        }
        return (at & end) != 0;
    }

    /** Skips stars, which may stand for the empty text. No two stars are adjacent, so one step is enough. */
    private long skipStars(long at) {
        return at | (at & (stars | deep)) << 1;
    }

    private long bits(char c) {
        if (c < ascii.length) {
            return ascii[c];
        }
        long bits = 0;
        for (int i = 0; i < others.length(); i++) {
            if (others.charAt(i) == c) {
                bits |= otherBits[i];
            }
        }
        return bits;
    }
}
