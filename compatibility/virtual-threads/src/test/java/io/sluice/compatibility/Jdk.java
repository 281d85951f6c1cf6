package io.sluice.compatibility;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.TreeMap;
import java.util.stream.Stream;

/** A Java that is installed on this machine. */
record Jdk(int version, Path home) {
    private static final Path USUAL = Path.of("/usr/lib/jvm");

    /** One Java of each version that has virtual threads: this one, those of variables such as JAVA_HOME_21, and the usual place. */
    static Collection<Jdk> withVirtualThreads() throws IOException {
        List<Path> homes = new ArrayList<>();
        homes.add(Path.of(System.getProperty("java.home")));
        for (Map.Entry<String, String> variable : System.getenv().entrySet()) {
            if (variable.getKey().matches("JAVA_?HOME(_.*)?|JDK_?[0-9]+(_HOME)?")) {
                homes.add(Path.of(variable.getValue()));
            }
        }
        if (Files.isDirectory(USUAL)) {
            try (Stream<Path> all = Files.list(USUAL)) {
                all.sorted().forEach(homes::add);
            }
        }
        Map<Integer, Jdk> byVersion = new TreeMap<>();
        for (Path home : homes) {
            int version = version(home);
            if (version >= 21 && Files.isExecutable(home.resolve("bin/java"))) {
                byVersion.putIfAbsent(version, new Jdk(version, home));
            }
        }
        return byVersion.values();
    }

    /** The feature version from the file that every Java has; 0 if it is none. */
    private static int version(Path home) throws IOException {
        Path release = home.resolve("release");
        if (!Files.isReadable(release)) {
            return 0;
        }
        Properties properties = new Properties();
        try (InputStream in = Files.newInputStream(release)) {
            properties.load(in);
        }
        String version = properties.getProperty("JAVA_VERSION", "").replace("\"", "");
        return version.isEmpty() ? 0 : Integer.parseInt(version.split("\\.", -1)[0].replaceAll("[^0-9].*", ""));
    }

    @Override
    public String toString() {
        return "JDK " + version;
    }
}
