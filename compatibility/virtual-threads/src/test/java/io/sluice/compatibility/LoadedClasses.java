package io.sluice.compatibility;

import java.net.URI;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** Loads all classes of a module at once. */
final class LoadedClasses {
    private static final String SUFFIX = ".class";

    private LoadedClasses() {}

    /** Loads and initializes every class of the jars, or directories, that these classes are from. */
    static void loadAll(Class<?>... ofModules) throws Exception {
        for (Class<?> each : ofModules) {
            URI place = each.getProtectionDomain().getCodeSource().getLocation().toURI();
            if (place.getPath().endsWith(".jar")) {
                try (FileSystem jar = FileSystems.newFileSystem(URI.create("jar:" + place), Map.of())) {
                    loadBelow(jar.getPath("/"));
                }
            } else {
                loadBelow(Path.of(place));
            }
        }
    }

    private static void loadBelow(Path root) throws Exception {
        List<String> names;
        try (Stream<Path> files = Files.walk(root)) {
            names = files.map(file -> root.relativize(file).toString())
                    .filter(file -> file.endsWith(SUFFIX) && !file.contains("-info"))
                    .map(file -> file.substring(0, file.length() - SUFFIX.length())
                            .replace(root.getFileSystem().getSeparator(), "."))
                    .filter(name -> !name.startsWith("META-INF"))
                    .toList();
        }
        for (String name : names) {
            Class.forName(name);
        }
    }
}
