package io.sluice.policy;

/**
 * What was read, and where.
 *
 * @param value what it says
 * @param node as it was written
 */
record Written<T>(T value, YamlNode node) {
    /** Where a part of it stands; see {@link YamlNode#find}. */
    Place at(Object... path) {
        return node.find(path).at();
    }

    /** Whether it has that field. */
    boolean has(String field) {
        return node instanceof YamlNode.Mapping mapping && mapping.fields().containsKey(field);
    }
}
