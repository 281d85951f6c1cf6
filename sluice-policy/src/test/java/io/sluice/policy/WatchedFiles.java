package io.sluice.policy;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;

/**
 * Changes files that are watched, in one step. {@link Files#writeString} empties a file first. On a busy machine a watch may find
 * it empty for so long that this is a change of its own.
 */
final class WatchedFiles {
    private WatchedFiles() {}

    /** Creates or replaces a file. */
    static void replace(Path file, String text) {
        Path next = file.resolveSibling(file.getFileName() + ".next");
        try {
            Files.writeString(next, text);
            Files.move(next, file, StandardCopyOption.ATOMIC_MOVE);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Overwrites a file with a text of the same length, so there is nothing to cut off. */
    static void overwrite(Path file, String text) {
        try {
            assertThat(file).hasSize(text.length());
            Files.writeString(file, text, StandardOpenOption.WRITE);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
