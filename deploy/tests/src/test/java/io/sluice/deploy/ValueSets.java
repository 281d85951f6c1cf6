package io.sluice.deploy;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** The sets of values that the chart is rendered with: its own defaults, and every file of the resources. */
final class ValueSets {
    private static final Path FILES = Path.of("src", "test", "resources", "values");

    private ValueSets() {}

    /** The name of a set, and its files: none for the defaults. */
    record ValueSet(String name, List<Path> files) {
        List<ApiObject> render() {
            return Chart.render(files);
        }

        @Override
        public String toString() {
            return name;
        }
    }

    static ValueSet named(String name) {
        return new ValueSet(name, List.of(FILES.resolve(name + ".yaml")));
    }

    static List<ValueSet> all() {
        List<ValueSet> sets = new ArrayList<>();
        sets.add(new ValueSet("defaults", List.of()));
        try (Stream<Path> files = Files.list(FILES)) {
            files.sorted()
                    .forEach(
                            file -> sets.add(named(file.getFileName().toString().replace(".yaml", ""))));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return sets;
    }
}
