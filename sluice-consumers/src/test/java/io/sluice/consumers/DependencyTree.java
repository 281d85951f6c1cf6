package io.sluice.consumers;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Versions of third-party artifacts, by group and artifact. */
final class DependencyTree {
    /** Group, artifact, type, possibly a classifier, version and scope. */
    private static final Pattern NODE =
            Pattern.compile("([\\w.-]+):([\\w.-]+):jar(?::[\\w.-]+)?:([\\w.-]+):(?:compile|runtime)\\b");

    private DependencyTree() {}

    /** Reads what {@code dependency:tree} wrote: what a project has when it runs. */
    static Map<String, String> read(Path file) throws IOException {
        Map<String, String> versions = new TreeMap<>();
        Matcher node = NODE.matcher(Files.readString(file));
        while (node.find()) {
            versions.put(node.group(1) + ":" + node.group(2), node.group(3));
        }
        return versions;
    }

    /** Reads the class path of these tests, which has everything that is published, in the versions of this build. */
    static Map<String, String> ofThisBuild() {
        Map<String, String> versions = new TreeMap<>();
        Arrays.stream(System.getProperty("java.class.path").split(File.pathSeparator))
                .map(Path::of)
                .filter(jar -> jar.startsWith(Surroundings.LOCAL_REPOSITORY))
                .map(Surroundings.LOCAL_REPOSITORY::relativize)
                .forEach(jar -> {
                    int count = jar.getNameCount();
                    String group = jar.subpath(0, count - 3).toString().replace(File.separatorChar, '.');
                    versions.put(
                            group + ":" + jar.getName(count - 3),
                            jar.getName(count - 2).toString());
                });
        return versions;
    }
}
