package io.sluice.cli.console;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;

/** Opens input files and explains why a file cannot be read. */
public final class InputFiles {
    private InputFiles() {}

    /**
     * Opens a file.
     *
     * @param kind the expected kind of file, such as {@code a CSV file}
     * @param details more about the expected content, for the error message
     * @throws InvalidInputException if the file cannot be read
     */
    public static InputStream open(Path file, String kind, String details) {
        requireNoDirectory(file, kind);
        try {
            return Files.newInputStream(file);
        } catch (IOException e) {
            throw unreadable(file, e, kind + details);
        }
    }

    static void requireNoDirectory(Path file, String kind) {
        if (Files.isDirectory(file)) {
            throw new InvalidInputException(file + ": is a directory (expected: " + kind + ")");
        }
    }

    static InvalidInputException unreadable(Path file, IOException e, String expected) {
        if (e instanceof NoSuchFileException) {
            return new InvalidInputException(file + ": no such file (expected: " + expected + ")");
        } else if (e instanceof AccessDeniedException) {
            return new InvalidInputException(file + ": permission denied (expected: a file that can be read)");
        }
        return new InvalidInputException(file + ": cannot be read: " + e.getMessage());
    }
}
