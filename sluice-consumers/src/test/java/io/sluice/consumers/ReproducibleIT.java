package io.sluice.consumers;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** Builds everything that is published once more, in another directory, and expects the same bytes. */
class ReproducibleIT {
    private static final Path COPY = Path.of("target", "another", "directory").toAbsolutePath();

    private static final Pattern MODULE = Pattern.compile("<module>([^<]+)</module>");

    @Test
    void secondBuild_givesTheSameBytes() throws Exception {
        copyMainSources();
        Maven.ofAMaintainer(COPY)
                .run(
                        "-q",
                        "-T2",
                        // Not maven.test.skip: it leaves dependencies out, and their order is that of the runnable jar.
                        "-DskipTests",
                        "-Dspotless.check.skip",
                        "-Denforcer.skip",
                        "-Derrorprone.options=-XepDisableAllChecks",
                        "-pl",
                        String.join(",", new TreeSet<>(Published.JARS.keySet())),
                        "package");
        List<String> different = new ArrayList<>();
        int compared = 0;
        for (String module : Published.JARS.keySet()) {
            Path second = COPY.resolve(module).resolve("target");
            for (Path jar : Directories.files(second)) {
                if (second.equals(jar.getParent()) && jar.toString().matches(".*(?<!-tests)\\.jar")) {
                    different.addAll(differences(
                            Surroundings.ROOT.resolve(module).resolve("target").resolve(jar.getFileName()), jar));
                    compared++;
                }
            }
        }
        assertThat(different)
                .as("what differs from the first build; a first build without mvn clean may have old files in it")
                .isEmpty();
        assertThat(compared)
                .as("a jar, its sources and its Javadoc, and the runnable jar")
                .isEqualTo(3 * Published.JARS.size() + 1);
    }

    private static void copyMainSources() throws IOException {
        Directories.delete(COPY);
        Files.createDirectories(COPY);
        for (String file : List.of("pom.xml", "LICENSE")) {
            Files.copy(Surroundings.ROOT.resolve(file), COPY.resolve(file));
        }
        Directories.copy(Surroundings.ROOT.resolve(".mvn"), COPY.resolve(".mvn"));
        for (Path module : modules()) {
            Path copy = Files.createDirectories(COPY.resolve(Surroundings.ROOT.relativize(module)));
            Files.copy(module.resolve("pom.xml"), copy.resolve("pom.xml"));
            Directories.copy(module.resolve("src/main"), copy.resolve("src/main"));
        }
    }

    /** All modules of the build. Maven wants to see the pom of each. */
    private static Set<Path> modules() throws IOException {
        Set<Path> modules = new LinkedHashSet<>();
        addModules(Surroundings.ROOT, modules);
        return modules;
    }

    private static void addModules(Path parent, Set<Path> modules) throws IOException {
        Matcher module = MODULE.matcher(Files.readString(parent.resolve("pom.xml")));
        while (module.find()) {
            Path directory = parent.resolve(module.group(1)).normalize();
            if (modules.add(directory)) {
                addModules(directory, modules);
            }
        }
    }

    private static List<String> differences(Path first, Path second) throws IOException {
        if (Files.exists(first) && Files.mismatch(first, second) < 0) {
            return List.of();
        }
        if (!Files.exists(first)) {
            return List.of(first + " is missing");
        }
        List<String> different = new ArrayList<>();
        Map<String, byte[]> before = Jar.read(first).entries();
        Map<String, byte[]> after = Jar.read(second).entries();
        TreeSet<String> names = new TreeSet<>(before.keySet());
        names.addAll(after.keySet());
        for (String name : names) {
            if (!Arrays.equals(before.get(name), after.get(name))) {
                different.add(first.getFileName() + ": " + name);
            }
        }
        return different.isEmpty() ? List.of(first.getFileName() + ": order or times of the entries") : different;
    }
}
