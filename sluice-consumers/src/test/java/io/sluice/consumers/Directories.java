package io.sluice.consumers;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/** Whole directories. */
final class Directories {
    private Directories() {}

    /** Copies a directory, but for what builds left in it. */
    static void copy(Path from, Path to) throws IOException {
        for (Path file : files(from)) {
            Path name = from.relativize(file);
            if (!name.startsWith("target")) {
                Path copy = to.resolve(name);
                Files.createDirectories(copy.getParent());
                Files.copy(file, copy);
            }
        }
    }

    static void delete(Path directory) throws IOException {
        if (Files.exists(directory)) {
            try (Stream<Path> paths = Files.walk(directory)) {
                for (Path path : paths.sorted(Comparator.reverseOrder()).toList()) {
                    Files.delete(path);
                }
            }
        }
    }

    /** All files below a directory, sorted; none if it is absent. */
    static List<Path> files(Path directory) {
        if (!Files.exists(directory)) {
            return List.of();
        }
        try (Stream<Path> paths = Files.walk(directory)) {
            return paths.filter(Files::isRegularFile).sorted().toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
