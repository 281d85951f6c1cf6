package io.sluice.testkit.redis;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Locale;

/** Finds the executable {@code redis-server}. */
final class Binary {
    private static final String PROPERTY = "sluice.redis.binary";
    private static final String VERSION = "7.0.15";

    private Binary() {}

    /** The file that the system property names, or else the resource for this kind of machine. */
    static Path path() {
        String given = System.getProperty(PROPERTY);
        if (given == null) {
            return Extracted.PATH;
        }
        Path path = Path.of(given).toAbsolutePath();
        if (!Files.isExecutable(path)) {
            throw new IllegalStateException(PROPERTY + ": " + given + " (expected: an executable file)");
        }
        return path;
    }

    /** Unpacked at the first use, once per JVM. */
    private static final class Extracted {
        static final Path PATH = extract();

        private static Path extract() {
            String name = "redis-server-" + VERSION + "-" + system() + "-" + processor();
            // The class would look in its own module only, where modules are in use.
            try (InputStream resource = Binary.class.getClassLoader().getResourceAsStream(name)) {
                if (resource == null) {
                    throw new IllegalStateException("no " + name + " on the class path; set -D" + PROPERTY + "=<path>");
                }
                Path file = WorkDirectory.ROOT.resolve(name);
                Files.copy(resource, file);
                Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwx------"));
                return file;
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }

        private static String system() {
            String name = System.getProperty("os.name", "");
            return name.startsWith("Mac") ? "darwin" : name.toLowerCase(Locale.ROOT);
        }

        private static String processor() {
            String name = System.getProperty("os.arch", "");
            return switch (name) {
                case "x86_64" -> "amd64";
                case "aarch64" -> "arm64";
                case "i386", "x86" -> "386";
                default -> name;
            };
        }
    }
}
