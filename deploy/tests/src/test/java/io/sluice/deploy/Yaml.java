package io.sluice.deploy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.constructor.SafeConstructor;

/** Reads YAML as Kubernetes does, and walks through what was read. */
final class Yaml {
    private Yaml() {}

    /** All documents of a text that are not empty. */
    static List<Object> documents(String text) {
        LoaderOptions options = new LoaderOptions();
        options.setAllowDuplicateKeys(false);
        List<Object> documents = new ArrayList<>();
        for (Object document : new org.yaml.snakeyaml.Yaml(new SafeConstructor(options)).loadAll(text)) {
            if (document != null) {
                documents.add(document);
            }
        }
        return documents;
    }

    static Object document(Path file) throws IOException {
        List<Object> documents = documents(Files.readString(file));
        if (documents.size() != 1) {
            throw new IllegalArgumentException(file + ": " + documents.size() + " documents (expected: 1)");
        }
        return documents.get(0);
    }

    @SuppressWarnings("unchecked")
    static Map<String, Object> map(Object node) {
        return (Map<String, Object>) node;
    }

    @SuppressWarnings("unchecked")
    static List<Object> list(Object node) {
        return (List<Object>) node;
    }

    /** The node at a path of names and indices; fails if there is none. */
    static Object at(Object node, Object... path) {
        return Objects.requireNonNull(find(node, path), () -> "nothing at " + List.of(path));
    }

    /** The node at a path, or null. */
    static @Nullable Object find(Object node, Object... path) {
        Object found = node;
        for (Object step : path) {
            Object next = step instanceof Integer index
                    ? (index < list(found).size() ? list(found).get(index) : null)
                    : map(found).get(step);
            if (next == null) {
                return null;
            }
            found = next;
        }
        return found;
    }
}
