package io.sluice.policy.yaml;

/**
 * What was read, and where.
 *
 * @param value what it says
 * @param node as it was written
 */
public record Located<T>(T value, YamlNode node) {
    /** Where a part of it stands; see {@link YamlNode#find}. */
    public SourcePosition at(Object... path) {
        return node.find(path).at();
    }

    /** Whether it has that field. */
    public boolean has(String field) {
        return node instanceof YamlNode.Mapping mapping && mapping.fields().containsKey(field);
    }
}
