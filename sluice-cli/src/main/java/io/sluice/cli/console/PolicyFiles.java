package io.sluice.cli.console;

import io.sluice.policy.Policies;
import io.sluice.policy.PolicyException;
import io.sluice.policy.Problem;
import io.sluice.policy.Problem.Severity;
import io.sluice.policy.envoy.EnvoyConfig;
import io.sluice.server.json.DisplayText;
import io.sluice.server.json.Utf8;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystemException;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Reads policy files and prints their problems. */
public final class PolicyFiles {
    private static final String STDIN = "stdin";
    private static final String KIND = "a policy file, in YAML";
    private static final String ENVOY_KIND = "a directory of envoyproxy/ratelimit files, in YAML";

    /** More than the longest file that is accepted. */
    private static final int MOST_BYTES = 1 << 25;

    private PolicyFiles() {}

    /** Whether a file name means standard input: {@code -}. */
    public static boolean isStdin(@Nullable Path file) {
        return file != null && file.toString().equals("-");
    }

    /** The name of a file in problems and results. */
    public static String name(Path file) {
        return isStdin(file) ? STDIN : file.toString();
    }

    /**
     * Reads a policy file.
     *
     * @throws PolicyException if its policies are invalid
     * @throws InvalidInputException if the file cannot be read
     */
    public static Policies load(Path file) {
        InputFiles.requireNoDirectory(file, KIND);
        try {
            return Policies.load(file);
        } catch (IOException e) {
            throw InputFiles.unreadable(file, e, KIND);
        }
    }

    /** Reads a policy file; {@code -} is standard input. */
    public static Policies load(Path file, InputStream stdin) {
        return isStdin(file) ? read(stdin, STDIN) : load(file);
    }

    /** Reads a policy file and prints its warnings; {@code -} is standard input. */
    public static Policies load(Path file, Stdio stdio) {
        Policies policies = load(file, stdio.in());
        print(stdio.err(), policies.warnings());
        return policies;
    }

    /**
     * Reads a directory of envoyproxy/ratelimit files.
     *
     * @throws PolicyException if the files are invalid
     * @throws InvalidInputException if a file cannot be read
     */
    public static EnvoyConfig loadEnvoy(Path directory) {
        try {
            return EnvoyConfig.load(directory);
        } catch (NotDirectoryException e) {
            throw new InvalidInputException(directory + ": not a directory (expected: " + ENVOY_KIND + ")");
        } catch (IOException e) {
            throw InputFiles.unreadable(Path.of(named(e, directory)), e, ENVOY_KIND);
        }
    }

    /** The file that cannot be read; the directory if the file is not known. */
    private static String named(IOException e, Path directory) {
        String file = e instanceof FileSystemException failure ? failure.getFile() : null;
        return file == null ? directory.toString() : file;
    }

    /** Reads policies from a stream; problems name it {@code source}. */
    private static Policies read(InputStream in, String source) {
        byte[] bytes;
        try {
            bytes = in.readNBytes(MOST_BYTES);
        } catch (IOException e) {
            throw new InvalidInputException(source + ": cannot be read: " + e.getMessage());
        }
        int wrong = Utf8.firstInvalid(bytes, 0, bytes.length);
        if (wrong >= 0 && bytes.length < MOST_BYTES) {
            throw new PolicyException(List.of(notUtf8(bytes, wrong, source)));
        }
        return Policies.parse(new String(bytes, StandardCharsets.UTF_8), source);
    }

    private static Problem notUtf8(byte[] bytes, int at, String source) {
        int line = 1;
        int lineStart = 0;
        for (int i = 0; i < at; i++) {
            if (bytes[i] == '\n') {
                line++;
                lineStart = i + 1;
            }
        }
        int column = Utf8.characters(bytes, lineStart, at) + 1;
        String message = "byte " + Utf8.hex(bytes[at]) + " (expected: UTF-8)";
        return new Problem(Severity.ERROR, source, line, column, message);
    }

    /** Prints each problem on one line. */
    public static void print(PrintStream err, List<Problem> problems) {
        problems.forEach(problem -> err.println(DisplayText.onOneLine(problem.toString())));
    }
}
