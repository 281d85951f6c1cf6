package io.sluice.policy;

import java.util.regex.Pattern;

/**
 * Looks for paths that no request has. Paths are normalised before they are matched, what is matched against them is not:
 * so what normalisation would change is never met.
 */
final class PathLint {
    /** A query, a doubled slash, a dot segment, or an escape of a character that needs none. */
    private static final Pattern CHANGED = Pattern.compile("\\?|//|(?:^|/)\\.\\.?(?:/|$)"
            + "|%(?:4[1-9A-Fa-f]|5[0-9Aa]|6[1-9A-Fa-f]|7[0-9Aa]|3[0-9]|2[DdEe]|5[Ff]|7[Ee])");

    private PathLint() {}

    /**
     * Warns of such paths in a match.
     *
     * @param path from the node to the match
     */
    static void look(YamlNode node, Problems problems, Object... path) {
        if (node.find(path) instanceof YamlNode.Mapping match) {
            YamlNode value = match.value("path");
            if (value != null) {
                look(value, problems);
            }
        }
    }

    private static void look(YamlNode value, Problems problems) {
        if (value instanceof YamlNode.Sequence sequence) {
            sequence.items().forEach(item -> look(item, problems));
        } else if (value instanceof YamlNode.Mapping mapping) {
            YamlNode not = mapping.value("not");
            if (not != null) {
                look(not, problems);
            }
        } else if (value instanceof YamlNode.Scalar scalar
                && CHANGED.matcher(scalar.text()).find()) {
            problems.warning(
                    value.at(),
                    "path: " + value.shown()
                            + " matches no path, because paths are matched without query, dot segments,"
                            + " doubled slashes and needless percent-encoding");
        }
    }
}
