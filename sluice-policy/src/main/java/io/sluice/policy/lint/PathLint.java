package io.sluice.policy.lint;

import io.sluice.policy.match.PathNormaliser;
import io.sluice.policy.yaml.Problems;
import io.sluice.policy.yaml.YamlNode;

/** Looks for paths that mean something else than they say, because they are normalised like those of requests. */
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
            String normal = PathNormaliser.normalise(scalar.text());
            if (!normal.equals(scalar.text())) {
                problems.warning(
                        value.at(),
                        "path: " + value.shown()
                                + " is read as " + Problems.quoted(normal) + ": paths are matched without query,"
                                + " escapes, dot segments and doubled slashes");
            }
        }
    }
}
