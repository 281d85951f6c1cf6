package io.sluice.cli.image;

import io.sluice.cli.console.RunFailedException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.NavigableSet;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

/** Finds the shared libraries of this machine that programs need, and the loader that starts them. */
final class SharedLibraries {
    /** What the C library opens by itself to resolve names. From glibc 2.34 on it contains them. */
    private static final List<String> OPENED_BY_LIBC =
            List.of("libnss_files.so.2", "libnss_dns.so.2", "libresolv.so.2");

    private SharedLibraries() {}

    /**
     * The libraries outside of {@code directory} that the programs and libraries need.
     *
     * @param directory the files may need each other there
     */
    static NavigableSet<Path> neededBy(Path directory, List<Path> files) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of("ldd"));
        files.forEach(file -> command.add(file.toString()));
        Set<String> own =
                files.stream().map(file -> file.getFileName().toString()).collect(Collectors.toSet());
        NavigableSet<Path> libraries = parse(ldd(directory, command), own);
        libraries.removeIf(library -> library.startsWith(directory));
        for (Path library : List.copyOf(libraries)) {
            if (library.getFileName().toString().startsWith("libc.so")) {
                OPENED_BY_LIBC.stream()
                        .map(library::resolveSibling)
                        .filter(Files::isRegularFile)
                        .forEach(libraries::add);
            }
        }
        return libraries;
    }

    private static String ldd(Path directory, List<String> command) throws IOException, InterruptedException {
        try {
            return Tool.run(directory, command);
        } catch (IOException e) {
            throw new RunFailedException("needs ldd, which comes with the C library (" + e.getMessage() + ")");
        }
    }

    /**
     * Reads what {@code ldd} prints: {@code libz.so.1 => /lib/libz.so.1 (0x7f..)}, or only the path for the loader.
     *
     * @param own names of libraries that need not be found, because the program loads them itself
     */
    static NavigableSet<Path> parse(String printed, Set<String> own) {
        NavigableSet<Path> libraries = new TreeSet<>();
        for (String line : printed.lines().map(String::strip).toList()) {
            int arrow = line.indexOf(" => ");
            String target = arrow < 0 ? line : line.substring(arrow + " => ".length());
            if (target.equals("not found")) {
                String name = line.substring(0, arrow);
                if (!own.contains(name)) {
                    throw new RunFailedException(
                            "the library " + name + ", which the Java runtime needs, is not on this"
                                    + " machine (expected: a JDK that runs here)");
                }
            } else if (target.startsWith("/") && target.contains(" (0x")) {
                libraries.add(Path.of(target.substring(0, target.indexOf(" (0x"))));
            }
        }
        return libraries;
    }
}
