package io.sluice.consumers;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** What is published. A new module gets a line here, and an entry in {@code sluice-bom}. */
final class Published {
    static final String BOM = "sluice-bom";

    /** The jars, with the names of their modules. */
    static final Map<String, String> JARS = Map.of(
            "sluice-core", "io.sluice",
            "sluice-redis", "io.sluice.redis",
            "sluice-policy", "io.sluice.policy",
            "sluice-micrometer", "io.sluice.micrometer",
            "sluice-spring-boot-starter", "io.sluice.spring",
            "sluice-server", "io.sluice.server",
            "sluice-cli", "io.sluice.cli",
            "sluice-testkit", "io.sluice.testkit",
            "sluice-testkit-redis", "io.sluice.testkit.redis");

    private Published() {}

    /** The names of all staged artifacts, sorted. */
    static List<String> staged() {
        return names(Surroundings.STAGING.resolve("io/sluice"));
    }

    static Path pom(String artifact) {
        return file(artifact, ".pom");
    }

    static Path jar(String artifact) {
        return file(artifact, ".jar");
    }

    static Path sources(String artifact) {
        return file(artifact, "-sources.jar");
    }

    static Path runnable() {
        return file("sluice-cli", "-runnable.jar");
    }

    static Path javadoc(String artifact) {
        return file(artifact, "-javadoc.jar");
    }

    private static Path file(String artifact, String ending) {
        Path directory =
                Surroundings.STAGING.resolve("io/sluice").resolve(artifact).resolve(Surroundings.VERSION);
        return directory.resolve(artifact + "-" + Surroundings.VERSION + ending);
    }

    private static List<String> names(Path directory) {
        try (Stream<Path> files = Files.list(directory)) {
            return files.map(file -> file.getFileName().toString()).sorted().toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
