package io.sluice.policy;

/** A glob, compiled: {@code *} stands for anything within a {@code /} segment, {@code **} for anything; both for nothing, too. */
final class GlobCheck implements Check {
    private final String prefix;
    private final String suffix;
    private final Part between;

    private GlobCheck(String prefix, String suffix, Part between) {
        this.prefix = prefix;
        this.suffix = suffix;
        this.between = between;
    }

    static Check of(String pattern) {
        int first = pattern.indexOf('*');
        if (first < 0) {
            return pattern::equals;
        }
        int last = pattern.lastIndexOf('*');
        return new GlobCheck(
                pattern.substring(0, first),
                pattern.substring(last + 1),
                between(GlobTokens.of(pattern.substring(first, last + 1))));
    }

    /** The text that every matching value begins with. */
    static String prefix(String pattern) {
        int first = pattern.indexOf('*');
        return first < 0 ? pattern : pattern.substring(0, first);
    }

    private static Part between(GlobTokens tokens) {
        if (tokens.size() > 1) {
            return tokens.size() <= GlobBits.MOST_TOKENS ? new GlobBits(tokens) : tokens;
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
                && between.holds(value, prefix.length(), to);
    }

    /** Whether a part of a value is like a pattern. */
    interface Part {
        boolean holds(String value, int from, int to);
    }
}
