package io.sluice.server.ops;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadFeature;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.BiConsumer;
import org.snakeyaml.engine.v2.api.Load;
import org.snakeyaml.engine.v2.api.LoadSettings;

/**
 * A file of JSON or YAML. What is absent is a failure.
 *
 * @param value a map, a list, or a single value
 */
record Tree(Object value) {
    static Tree ofJson(String json) throws IOException {
        JsonFactory factory = JsonFactory.builder()
                .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
                .build();
        try (JsonParser parser = factory.createParser(json)) {
            parser.nextToken();
            Tree tree = new Tree(read(parser));
            if (parser.nextToken() != null) {
                throw new IOException("text after the end");
            }
            return tree;
        }
    }

    static Tree ofYaml(String yaml) {
        return new Tree(new Load(LoadSettings.builder().build()).loadFromString(yaml));
    }

    private static Object read(JsonParser parser) throws IOException {
        if (parser.currentToken() == JsonToken.START_OBJECT) {
            Map<String, Object> fields = new LinkedHashMap<>();
            while (parser.nextToken() != JsonToken.END_OBJECT) {
                String name = parser.currentName();
                parser.nextToken();
                fields.put(name, read(parser));
            }
            return fields;
        }
        if (parser.currentToken() == JsonToken.START_ARRAY) {
            List<Object> items = new ArrayList<>();
            while (parser.nextToken() != JsonToken.END_ARRAY) {
                items.add(read(parser));
            }
            return items;
        }
        return parser.getText();
    }

    Tree get(String field) {
        return new Tree(Objects.requireNonNull(((Map<?, ?>) value).get(field), () -> "no " + field + " in " + value));
    }

    List<Tree> items() {
        List<Tree> items = new ArrayList<>();
        ((List<?>) value).forEach(item -> items.add(new Tree(Objects.requireNonNull(item))));
        return items;
    }

    String text() {
        return value.toString();
    }

    int number() {
        return Integer.parseInt(text());
    }

    /** Calls back for every field of every object in the tree. */
    void forEachField(BiConsumer<String, Tree> field) {
        if (value instanceof Map<?, ?> fields) {
            fields.forEach((name, item) -> {
                Tree tree = new Tree(Objects.requireNonNull(item));
                field.accept((String) Objects.requireNonNull(name), tree);
                tree.forEachField(field);
            });
        } else if (value instanceof List<?>) {
            items().forEach(item -> item.forEachField(field));
        }
    }
}
