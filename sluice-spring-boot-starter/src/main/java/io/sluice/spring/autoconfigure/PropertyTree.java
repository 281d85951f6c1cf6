package io.sluice.spring.autoconfigure;

import io.sluice.spring.SluiceSettingsException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.source.ConfigurationProperty;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName;
import org.springframework.boot.context.properties.source.ConfigurationPropertySource;
import org.springframework.boot.context.properties.source.ConfigurationPropertySources;
import org.springframework.boot.context.properties.source.IterableConfigurationPropertySource;
import org.springframework.boot.origin.Origin;
import org.springframework.core.env.Environment;

/*
 * Why not the binder of Spring Boot: it ignores fields that it does not know, and a policy with a misspelt field must be refused.
 * As with the binder, a list is taken as a whole from the first source that has it.
 */
/** The properties below a name as a tree: every node has a value, or children by their keys or indexes. */
final class PropertyTree {
    private final Map<String, PropertyTree> children = new LinkedHashMap<>();
    private final String name;
    private @Nullable Object value;
    private @Nullable Origin origin;
    private boolean isList;

    private PropertyTree(String name) {
        this.name = name;
    }

    /** The properties below this name, of the first source that has some; null if there are none. */
    static @Nullable PropertyTree read(Environment environment, String name) {
        ConfigurationPropertyName root = ConfigurationPropertyName.of(name);
        for (ConfigurationPropertySource source : ConfigurationPropertySources.get(environment)) {
            if (source instanceof IterableConfigurationPropertySource iterable) {
                PropertyTree tree = read(environment, iterable, root);
                if (tree != null) {
                    return tree;
                }
            }
        }
        return null;
    }

    private static @Nullable PropertyTree read(
            Environment environment, IterableConfigurationPropertySource source, ConfigurationPropertyName root) {
        PropertyTree tree = null;
        for (ConfigurationPropertyName name : source) {
            if (root.equals(name) || root.isAncestorOf(name)) {
                ConfigurationProperty property = source.getConfigurationProperty(name);
                if (property != null) {
                    if (tree == null) {
                        tree = new PropertyTree(root.toString());
                    }
                    tree.add(environment, property, root.getNumberOfElements());
                }
            }
        }
        return tree;
    }

    private void add(Environment environment, ConfigurationProperty property, int depth) {
        ConfigurationPropertyName full = property.getName();
        PropertyTree node = this;
        for (int i = depth; i < full.getNumberOfElements(); i++) {
            boolean index = full.isNumericIndex(i);
            String element = full.getElement(i, ConfigurationPropertyName.Form.ORIGINAL);
            node.isList |= index;
            String path = index ? node.name + "[" + element + "]" : node.name + "." + element;
            node = node.children.computeIfAbsent(element, unused -> new PropertyTree(path));
        }
        node.origin = property.getOrigin();
        Object found = property.getValue();
        node.value = found instanceof CharSequence text ? node.resolved(environment, text.toString()) : found;
    }

    private String resolved(Environment environment, String text) {
        try {
            return environment.resolveRequiredPlaceholders(text);
        } catch (IllegalArgumentException e) {
            throw new SluiceSettingsException(
                    name + (origin == null ? "" : " (" + origin + ")") + ": " + e.getMessage(),
                    "Set the property, or give a default: ${name:default}.");
        }
    }

    /** The full name of the property. */
    String name() {
        return name;
    }

    /** Where the value was read; null if it has none, or nobody knows. */
    @Nullable
    Origin origin() {
        return origin;
    }

    /** The value; null if the node has children. */
    @Nullable
    Object value() {
        return value;
    }

    /** Whether the children have indexes. */
    boolean isList() {
        return isList;
    }

    boolean isLeaf() {
        return children.isEmpty();
    }

    /** Whether it has neither a value nor children: an empty list or mapping. */
    boolean isEmpty() {
        return isLeaf() && (value == null || value.toString().isEmpty());
    }

    /** The children by their keys, in the order of the source. */
    Map<String, PropertyTree> children() {
        return children;
    }

    /** The children of a list, in the order of their indexes. */
    List<PropertyTree> items() {
        List<Map.Entry<String, PropertyTree>> entries = new ArrayList<>(children.entrySet());
        entries.sort((one, other) -> Integer.compare(Integer.parseInt(one.getKey()), Integer.parseInt(other.getKey())));
        return entries.stream().map(Map.Entry::getValue).toList();
    }
}
