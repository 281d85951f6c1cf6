package io.sluice.benchmarks.spring;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * The directory with the applications that {@code ./sluice bench spring} has built.
 *
 * @param path the directory {@code sluice-benchmarks/spring}
 */
record AppDirectory(Path path) {
    private static final String PROPERTY = "sluice.bench.spring";

    /** The directory that the launcher names. */
    static AppDirectory ofLauncher() {
        String path = System.getProperty(PROPERTY);
        if (path == null) {
            throw new IllegalStateException(
                    "no applications (expected: started by ./sluice bench spring, which builds them)");
        }
        return new AppDirectory(Path.of(path));
    }

    /** The class path of an application: its classes and the libraries that Maven found. */
    String classPath(String app) throws IOException {
        Path target = path.resolve(app).resolve("target");
        return target.resolve("classes")
                + File.pathSeparator
                + Files.readString(target.resolve("classpath")).strip();
    }
}
