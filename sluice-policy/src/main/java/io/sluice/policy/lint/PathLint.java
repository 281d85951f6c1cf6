package io.sluice.policy.lint;

import io.sluice.policy.match.PathNormaliser;
import io.sluice.policy.yaml.Problems;
import io.sluice.policy.yaml.YamlNode;

/** Warns of paths in matches that are normalised to another path. */
final class PathLint {
    private PathLint() {}

    /**
     * Checks the paths in a match.
     *
     * @param path the path from the node to the match
     */
    static void check(YamlNode node, Problems problems, Object... path) {
        if (node.find(path) instanceof YamlNode.Mapping match) {
            YamlNode value = match.value("path");
            if (value != null) {
                check(value, problems);
            }
        }
    }

    private static void check(YamlNode value, Problems problems) {
        if (value instanceof YamlNode.Sequence sequence) {
            sequence.items().forEach(item -> check(item, problems));
        } else if (value instanceof YamlNode.Mapping mapping) {
            YamlNode not = mapping.value("not");
            if (not != null) {
                check(not, problems);
            }
        } else if (value instanceof YamlNode.Scalar scalar) {
            String normal = PathNormaliser.normalise(scalar.text());
            if (!normal.equals(scalar.text())) {
                problems.warning(
                        value.at(),
                        "path: " + value.display()
                                + " is read as " + Problems.quoted(normal) + ": paths are matched without query,"
                                + " escapes, dot segments and doubled slashes");
            }
        }
    }
}
