package io.sluice.policy.match;

/**
 * A compiled glob: {@code *} stands for any text within a {@code /} segment, {@code **} for any text. Both can stand
 * for the empty text.
 */
public final class CompiledGlob implements CompiledCondition {
    private final String prefix;
    private final String suffix;
    private final Part middle;

    private CompiledGlob(String prefix, String suffix, Part middle) {
        this.prefix = prefix;
        this.suffix = suffix;
        this.middle = middle;
    }

    /** Compiles a pattern. */
    public static CompiledCondition of(String pattern) {
        int first = pattern.indexOf('*');
        if (first < 0) {
            return pattern::equals;
        }
        int last = pattern.lastIndexOf('*');
        return new CompiledGlob(
                pattern.substring(0, first),
                pattern.substring(last + 1),
                middle(GlobTokens.of(pattern.substring(first, last + 1))));
    }

    /** The text that every matching value begins with. */
    static String prefix(String pattern) {
        int first = pattern.indexOf('*');
        return first < 0 ? pattern : pattern.substring(0, first);
    }

    private static Part middle(GlobTokens tokens) {
        if (tokens.size() > 1) {
            return tokens.size() <= BitParallelGlob.MAX_TOKENS ? new BitParallelGlob(tokens) : tokens;
        }
        if (tokens.isDeep(0)) {
            return (value, from, to) -> true;
        }
        return (value, from, to) -> {
            int slash = value.indexOf('/', from);
            return slash < 0 || slash >= to;
        };
    }

    @Override
    public boolean holds(String value) {
        int to = value.length() - suffix.length();
        return to >= prefix.length()
                && value.startsWith(prefix)
                && value.endsWith(suffix)
                && middle.holds(value, prefix.length(), to);
    }

    /** Tests whether a part of a value matches a pattern. */
    interface Part {
        boolean holds(String value, int from, int to);
    }
}
