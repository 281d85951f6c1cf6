package io.sluice.testkit.redis;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/*
 * All servers that a JVM has started must end with it, even if the JVM is killed and runs no shutdown hook (Surefire halts a
 * test run whose Maven has died). So all files are in one directory, in which each running server has an empty file named
 * after its pid. A shell process reads from a pipe to which the JVM writes nothing. The pipe ends when the JVM ends or when its
 * shutdown hook closes it. Then the shell kills all processes that have such a file, and deletes the directory. It ignores the
 * signals that a terminal sends to all processes.
 */

/** The directory of this JVM's servers. When the JVM ends, the servers are killed and the directory is deleted. */
final class WorkDirectory {
    static final Path ROOT = create();

    private static final String WATCH = """
            trap '' HUP INT TERM
            read -r line
            for file in "$1"/*/pid.*; do kill -9 "${file##*.}"; done
            rm -rf "$1"
            """;

    private WorkDirectory() {}

    private static Path create() {
        try {
            Path root = Files.createTempDirectory("sluice-redis-");
            Process watch = new ProcessBuilder("sh", "-c", WATCH, "sluice-redis-watch", root.toString())
                    .redirectOutput(Redirect.DISCARD)
                    .redirectError(Redirect.DISCARD)
                    .start();
            Runtime.getRuntime().addShutdownHook(new Thread(() -> end(watch), "sluice-redis-end"));
            return root;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void end(Process watch) {
        try {
            watch.getOutputStream().close();
            watch.waitFor(5, TimeUnit.SECONDS);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** An empty directory for one server. */
    static Path newDirectory() {
        try {
            return Files.createTempDirectory(ROOT, "server-");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /**
     * Puts the process of that directory under watch until it has ended; then its pid may soon be another's.
     *
     * @return is done when the process has ended and is no longer watched
     */
    static CompletableFuture<Void> watch(Path directory, Process process) {
        Path file = directory.resolve("pid." + process.pid());
        try {
            Files.createFile(file);
        } catch (IOException e) {
            process.destroyForcibly();
            throw new UncheckedIOException(e);
        }
        return process.onExit().thenRun(() -> delete(file));
    }

    /** Deletes a file, or a directory with all that is in it, if it exists. */
    static void delete(Path path) {
        if (!Files.exists(path)) {
            return;
        }
        try (Stream<Path> files = Files.walk(path)) {
            List<Path> deepestFirst = files.sorted(Comparator.reverseOrder()).toList();
            for (Path file : deepestFirst) {
                Files.deleteIfExists(file);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
