package io.sluice.policy.yaml;

/**
 * A value with the YAML node it was read from.
 *
 * @param value the value
 * @param node the node
 */
public record Located<T>(T value, YamlNode node) {
    /** The position of a part of the node, see {@link YamlNode#find}. */
    public SourcePosition at(Object... path) {
        return node.find(path).at();
    }

    /** Whether the node has this field. */
    public boolean has(String field) {
        return node instanceof YamlNode.Mapping mapping && mapping.fields().containsKey(field);
    }
}
