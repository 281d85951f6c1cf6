package io.sluice.policy.yaml;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Builds a list or mapping while it is being read. */
abstract sealed class YamlCollectionBuilder {
    final SourcePosition at;

    /** Its anchor, if any. */
    YamlReader.@Nullable Anchored anchored;

    /** The number of nodes before it. */
    long nodesBefore;

    /** The depth of the lists and mappings inside it, so far. */
    int height;

    private YamlCollectionBuilder(SourcePosition at) {
        this.at = at;
    }

    abstract void add(YamlNode node, Problems problems);

    abstract YamlNode close();

    /** Builds a list. */
    static final class ListBuilder extends YamlCollectionBuilder {
        private final List<YamlNode> items = new ArrayList<>();

        ListBuilder(SourcePosition at) {
            super(at);
        }

        @Override
        void add(YamlNode node, Problems problems) {
            items.add(node);
        }

        @Override
        YamlNode close() {
            return new YamlNode.Sequence(at, items);
        }
    }

    /** Builds a mapping. The nodes come as name, value, name, value. */
    static final class MappingBuilder extends YamlCollectionBuilder {
        private final Map<String, YamlNode.Field> fields = new LinkedHashMap<>();
        private @Nullable YamlNode name;

        MappingBuilder(SourcePosition at) {
            super(at);
        }

        @Override
        void add(YamlNode node, Problems problems) {
            if (name == null) {
                name = node;
            } else {
                put(name, node, problems);
                name = null;
            }
        }

        private void put(YamlNode key, YamlNode value, Problems problems) {
            if (!(key instanceof YamlNode.Scalar scalar) || scalar.isNull()) {
                problems.error(key.at(), "field: " + key.display() + " (expected: a name)");
                return;
            }
            String text = scalar.text();
            if (!scalar.isText()) {
                problems.error(key.at(), "field: " + text + " is not text (expected: a name; in quotes it is text)");
            } else if (scalar.plain() && text.equals("<<")) {
                problems.error(
                        key.at(),
                        "unknown field \"<<\" (expected: no merge keys; an alias can stand for a whole value)");
            } else {
                YamlNode.Field first = fields.putIfAbsent(text, new YamlNode.Field(key.at(), value));
                if (first != null) {
                    problems.error(
                            key.at(),
                            "field: " + Problems.quoted(text)
                                    + " a second time (expected: every field once; the first is in line "
                                    + first.at().line() + ")");
                }
            }
        }

        @Override
        YamlNode close() {
            return new YamlNode.Mapping(at, fields);
        }
    }
}
