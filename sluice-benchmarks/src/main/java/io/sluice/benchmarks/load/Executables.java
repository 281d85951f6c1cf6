package io.sluice.benchmarks.load;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.File;
import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/** Finds and runs programs that may be installed on this machine. */
public final class Executables {
    private Executables() {}

    /** The path of a program; empty if it is not installed. */
    public static Optional<Path> find(String name) {
        return Arrays.stream(System.getenv().getOrDefault("PATH", "").split(Pattern.quote(File.pathSeparator), -1))
                .filter(directory -> !directory.isEmpty())
                .map(directory -> Path.of(directory, name))
                .filter(Files::isExecutable)
                .findFirst();
    }

    /**
     * Runs a program to its end.
     *
     * @return its standard output
     * @throws IllegalStateException if the program failed
     */
    public static String run(String name, List<String> words) throws InterruptedException {
        try {
            Process process =
                    new ProcessBuilder(words).redirectError(Redirect.INHERIT).start();
            String printed = new String(process.getInputStream().readAllBytes(), UTF_8);
            if (process.waitFor() != 0) {
                throw new IllegalStateException(
                        name + ": exit code " + process.exitValue() + " (expected: 0)\n" + printed);
            }
            return printed;
        } catch (IOException e) {
            throw new IllegalStateException(name + ": " + e.getMessage(), e);
        }
    }
}
