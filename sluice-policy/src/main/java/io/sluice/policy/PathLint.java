package io.sluice.policy;

/**
 * Looks for paths that are not as requests' paths are matched. Those are normalised, what is matched against them is not: so
 * what normalisation would change is as good as never met. A star is as good as any other character here.
 */
final class PathLint {
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
        } else if (value instanceof YamlNode.Scalar scalar) {
            String normal = Paths.normalise(scalar.text());
            if (!normal.equals(scalar.text())) {
                problems.warning(
                        value.at(),
                        "path: " + value.shown()
                                + " is met by no usual request: paths are matched without query, escapes, dot"
                                + " segments and doubled slashes (expected: " + Problems.quoted(normal) + ")");
            }
        }
    }
}
