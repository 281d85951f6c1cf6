package io.sluice.policy;

/*
 * The places in the pattern at which a match may stand are the bits of one long. Each character of the value moves them all
 * by one shift: those before that character go on, those at a star stay. So the time is linear in the value however many
 * stars there are, and nothing is allocated.
 */
/** A glob of at most 63 tokens. */
final class GlobBits implements GlobCheck.Part {
    static final int MOST_TOKENS = Long.SIZE - 1;

    private final long[] ascii = new long[128];
    private final String others;
    private final long[] otherBits;
    private final long stars;
    private final long deep;
    private final long end;

    GlobBits(GlobTokens tokens) {
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
        long at = pass(1);
        for (int i = from; i < to && at != 0; i++) {
            char c = value.charAt(i);
            long stay = c == '/' ? deep : deep | stars;
            at = pass((at & bits(c)) << 1 | (at & stay));
        }
        return (at & end) != 0;
    }

    /** A star may stand for nothing. No two stand side by side, so one step is enough. */
    private long pass(long at) {
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
