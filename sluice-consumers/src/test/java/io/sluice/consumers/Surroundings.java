package io.sluice.consumers;

import java.nio.file.Path;
import java.util.Objects;

/** What the build tells its tests. */
final class Surroundings {
    static final String VERSION = property("sluice.version");
    static final Path ROOT = Path.of(property("sluice.root"));

    /** A repository with what is published. */
    static final Path STAGING = Path.of(property("sluice.staging"));

    static final Path MAVEN_HOME = Path.of(property("maven.home"));

    /** The local repository of the user who runs this build. Tests only read it. */
    static final Path LOCAL_REPOSITORY = Path.of(property("maven.local"));

    static final boolean OFFLINE = property("maven.offline").equals("offline: true");
    static final String SPRING_BOOT = property("spring-boot.version");
    static final String DEPENDENCY_PLUGIN = property("dependency-plugin.version");

    private Surroundings() {}

    private static String property(String name) {
        return Objects.requireNonNull(System.getProperty(name), name);
    }
}
