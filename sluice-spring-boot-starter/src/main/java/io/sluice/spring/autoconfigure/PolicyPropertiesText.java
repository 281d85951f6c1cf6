package io.sluice.spring.autoconfigure;

import io.sluice.policy.JsonText;
import io.sluice.policy.Suggestion;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.origin.Origin;

/*
 * The text is read by the reader of policy files. So fields, checks and words of errors are the same as there. Each value has a
 * line of its own: the line of a problem says which property it is about.
 */
/** Writes policies from properties as the text of a policy file, and remembers where each line comes from. */
final class PolicyPropertiesText {
    private static final Set<String> OPERATORS = Set.of("regex", "cidr", "not-cidr", "not");

    /** The operators that are long enough to be recognised when they are misspelt. */
    private static final List<String> LONG_OPERATORS = List.of("regex", "cidr", "not-cidr");

    /** What is no attribute itself, but the beginning of many. */
    private static final Set<String> PREFIXES = Set.of("header", "query");

    /** Names that have a dash: an environment variable cannot contain one, and Spring Boot also accepts onStoreFailure. */
    private static final Map<String, String> DASHED =
            Map.of("onstorefailure", "on-store-failure", "atleast", "at-least", "notcidr", "not-cidr");

    /** Fields with a choice of words. Spring Boot also accepts them in capital letters. */
    private static final Set<String> CHOICES = Set.of("mode", "on-store-failure", "scope", "charge");

    /** Fields that are lists or mappings. Spring Boot makes an empty text of an empty one. */
    private static final Set<String> COLLECTIONS = Set.of("match", "key", "overrides", "for");

    /** A property, and where it was read. */
    record Place(String property, @Nullable Origin origin) {
        @Override
        public String toString() {
            return origin == null ? property : property + " (" + origin + ")";
        }
    }

    private final StringBuilder out = new StringBuilder();
    private final List<Place> places = new ArrayList<>();

    private PolicyPropertiesText() {}

    /** The text of all policies and alerts. */
    static PolicyPropertiesText of(@Nullable PropertyTree policies, @Nullable PropertyTree alerts) {
        PolicyPropertiesText text = new PolicyPropertiesText();
        text.line("version: 1", "sluice", null);
        text.section("policies", policies);
        if (alerts != null && !alerts.isEmpty()) {
            text.section("alerts", alerts);
        }
        return text;
    }

    @Override
    public String toString() {
        return out.toString();
    }

    /** The property on a line, from 1. */
    Place place(int line) {
        return places.get(Math.min(line, places.size()) - 1);
    }

    private void section(String field, @Nullable PropertyTree tree) {
        if (tree == null || tree.isEmpty()) {
            line(field + ": []", "sluice." + field, null);
        } else {
            node("", JsonText.quoted(field), tree, false);
        }
    }

    private void node(String indent, String key, PropertyTree node, boolean isMatch) {
        if (node.isLeaf()) {
            line(indent + key + ": " + scalar(node), node.name(), node.origin());
        } else if (node.isList()) {
            line(indent + key + ":", node.name(), node.origin());
            for (PropertyTree item : node.items()) {
                item(indent + "  ", item);
            }
        } else {
            line(indent + key + ":", node.name(), node.origin());
            fields(indent + "  ", node, isMatch);
        }
    }

    private void item(String indent, PropertyTree item) {
        if (item.isLeaf()) {
            line(indent + "- " + scalar(item), item.name(), item.origin());
        } else {
            line(indent + "-", item.name(), item.origin());
            fields(indent + "  ", item, false);
        }
    }

    private void fields(String indent, PropertyTree node, boolean isMatch) {
        node.children().forEach((key, child) -> {
            if (isMatch) {
                condition(indent, key, child);
            } else {
                boolean match = key.equals("match") || key.equals("for");
                if (key.equals("mode") && Boolean.FALSE.equals(child.value())) {
                    // Spring Boot reads YAML 1.1, to which the word off is a boolean.
                    line(indent + "mode: \"off\"", child.name(), child.origin());
                    return;
                }
                if (child.isEmpty() && COLLECTIONS.contains(key)) {
                    return;
                }
                String field = dashed(key);
                if (child.value() instanceof CharSequence word && CHOICES.contains(field)) {
                    String lower = word.toString().toLowerCase(Locale.ROOT).replace('_', '-');
                    line(indent + field + ": " + JsonText.quoted(lower), child.name(), child.origin());
                    return;
                }
                node(indent, JsonText.quoted(field), child, match);
            }
        });
    }

    private static String dashed(String key) {
        return DASHED.getOrDefault(key.toLowerCase(Locale.ROOT).replace("-", "").replace("_", ""), key);
    }

    /** A condition on an attribute. The name of an attribute such as {@code header.X-Tenant} has become several levels. */
    private void condition(String indent, String attribute, PropertyTree node) {
        if (node.isLeaf() || node.isList() || hasOperators(attribute, node)) {
            node(indent, JsonText.quoted(attribute), node, false);
        } else {
            node.children().forEach((key, child) -> condition(indent, attribute + "." + key, child));
        }
    }

    /**
     * Whether the levels below an attribute are operators. One that is misspelt is refused by the reader: as a part of the name of the
     * attribute, it would make a policy that never applies.
     */
    private static boolean hasOperators(String attribute, PropertyTree node) {
        Set<String> below = node.children().keySet();
        return OPERATORS.containsAll(
                        below.stream().map(PolicyPropertiesText::dashed).toList())
                || (!PREFIXES.contains(attribute)
                        && below.stream()
                                .anyMatch(key -> OPERATORS.contains(dashed(key))
                                        || Suggestion.nearest(key, LONG_OPERATORS) != null));
    }

    private static String scalar(PropertyTree leaf) {
        Object value = leaf.value();
        if (!(value instanceof Number || value instanceof Boolean)) {
            return JsonText.quoted(value == null ? "" : value.toString());
        }
        String written = WrittenScalar.at(leaf.origin());
        return written == null ? value.toString() : written;
    }

    private void line(String text, String property, @Nullable Origin origin) {
        out.append(text).append('\n');
        places.add(new Place(property, origin));
    }
}
