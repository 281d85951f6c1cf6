package io.sluice.cli;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;

/** Opens what the user names. */
final class InputFile {
    private InputFile() {}

    /**
     * Opens a file.
     *
     * @param kind what it should be: {@code a CSV file}
     * @param details what more is to know of it
     * @throws Refusal if it cannot be read
     */
    static InputStream open(Path file, String kind, String details) {
        requireNoDirectory(file, kind);
        try {
            return Files.newInputStream(file);
        } catch (IOException e) {
            throw unreadable(file, e, kind + details);
        }
    }

    static void requireNoDirectory(Path file, String kind) {
        if (Files.isDirectory(file)) {
            throw new Refusal(file + ": is a directory (expected: " + kind + ")");
        }
    }

    static Refusal unreadable(Path file, IOException e, String expected) {
        if (e instanceof NoSuchFileException) {
            return new Refusal(file + ": no such file (expected: " + expected + ")");
        } else if (e instanceof AccessDeniedException) {
            return new Refusal(file + ": permission denied (expected: a file that can be read)");
        }
        return new Refusal(file + ": cannot be read: " + e.getMessage());
    }
}
