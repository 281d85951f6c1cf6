package io.sluice.cli.image;

import io.sluice.cli.console.RunFailedException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/**
 * The files of an image in a directory of this machine, from which its layers are written. The runtime can run there.
 *
 * <p>The archive of classes works only with the jar and the runtime that it was made with. The JVM compares the time and
 * the size of the jar, and its path. Therefore all files get the time that they have in the image, and the archive is made
 * with a path that leads to the jar here and in the image: it goes up from a deep directory. In the image, going up ends at
 * the root directory.
 */
final class StagedImage {
    /**
     * The modules of the JDK that the service uses. {@code ImageIT} compares them with what jdeps finds. Two of them it
     * cannot find: jdk.crypto.ec has the elliptic curves of TLS, and jdk.jfr allows to record a server that is slow.
     */
    static final List<String> MODULES = List.of(
            "java.base",
            "java.logging",
            "java.management",
            "java.naming",
            "jdk.crypto.ec",
            "jdk.jfr",
            "jdk.management",
            "jdk.unsupported");

    /** Deeper than the working directory of a container is likely to be. */
    private static final int DEPTH = 8;

    private final Path work;
    private final Path root;
    private final Path java;
    private final Path deepest;

    private StagedImage(Path work) {
        this.work = work;
        this.root = work.resolve("root");
        this.java = root.resolve(Entrypoint.JAVA_HOME);
        this.deepest = root.resolve("up/".repeat(DEPTH));
    }

    /** Links the runtime and copies the jar. */
    static StagedImage stage(Path work, Jdk jdk, Path jar) throws IOException, InterruptedException {
        StagedImage staged = new StagedImage(work);
        Files.createDirectories(staged.java.getParent());
        Files.createDirectories(staged.deepest);
        staged.link(jdk);
        Path copy = staged.root.resolve(Entrypoint.JAR);
        Files.createDirectories(copy.getParent());
        Files.copy(jar, copy);
        staged.setTimes();
        return staged;
    }

    private void link(Jdk jdk) throws IOException, InterruptedException {
        // Not compressed: the layer is, and it is smaller that way.
        Tool.run(
                work,
                List.of(
                        jdk.jlink().toString(),
                        "--add-modules",
                        String.join(",", MODULES),
                        "--no-header-files",
                        "--no-man-pages",
                        "--output",
                        java.toString()));
        // Distributions keep the certificates outside of the modules.
        if (Files.isReadable(jdk.trustedCertificates())) {
            Path own = java.resolve("lib/security/cacerts");
            Files.deleteIfExists(own);
            Files.copy(jdk.trustedCertificates(), own);
        }
    }

    private void setTimes() throws IOException {
        try (Stream<Path> files = Files.walk(root.resolve("opt"))) {
            for (Path file : files.toList()) {
                if (!Files.isSymbolicLink(file)) {
                    Files.setLastModifiedTime(file, FileTime.from(TarWriter.TIME));
                }
            }
        }
    }

    /** Runs the service, and archives the classes that it loads. */
    void archiveClasses() throws IOException, InterruptedException {
        Path classes = new TrainingRun(deepest, jvm(), relativeJar(), work).loadedClasses();
        Path archive = root.resolve(Entrypoint.CLASS_ARCHIVE);
        List<String> command = jvm();
        command.addAll(List.of(
                "-Xshare:dump",
                "-XX:SharedClassListFile=" + classes,
                "-XX:SharedArchiveFile=" + archive,
                "-cp",
                relativeJar()));
        String printed = Tool.run(deepest, command);
        if (!Files.isRegularFile(archive)) {
            throw new RunFailedException(
                    "the JVM wrote no archive of classes (--no-class-archive leaves it out): " + printed.strip());
        }
    }

    private List<String> jvm() {
        List<String> command = new ArrayList<>(List.of(java.resolve("bin/java").toString()));
        command.addAll(Entrypoint.JVM_OPTIONS);
        return command;
    }

    private String relativeJar() {
        return "../".repeat(DEPTH) + Entrypoint.JAR;
    }

    /** Writes the layers: what changes rarely is lowest, so that a new version of the service is a small download. */
    Image image() throws IOException, InterruptedException {
        List<Layer> layers = new ArrayList<>(List.of(
                layer("C library, user, directories", base()),
                layer("Java runtime", new FileTree().copy(Entrypoint.JAVA_HOME, java)),
                layer("service", new FileTree().file(Entrypoint.JAR, root.resolve(Entrypoint.JAR)))));
        Path archive = root.resolve(Entrypoint.CLASS_ARCHIVE);
        boolean hasClassArchive = Files.exists(archive);
        if (hasClassArchive) {
            layers.add(layer("archive of classes", new FileTree().file(Entrypoint.CLASS_ARCHIVE, archive)));
        }
        return new Image(layers, hasClassArchive);
    }

    private Layer layer(String origin, FileTree files) throws IOException {
        return Layer.write(origin, files, Files.createTempFile(work, "layer", ".tar.gz"));
    }

    private FileTree base() throws IOException, InterruptedException {
        return BaseFiles.forRuntime(java);
    }
}
