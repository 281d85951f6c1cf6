package io.sluice.server;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;

/** A file that a server watches. */
final class WatchedFile {
    private WatchedFile() {}

    /** Replaces it in one step. {@link Files#writeString} empties it first, and the server may see that. */
    static void replace(Path file, String text) {
        Path next = file.resolveSibling(file.getFileName() + ".next");
        try {
            Files.writeString(next, text);
            Files.move(next, file, StandardCopyOption.ATOMIC_MOVE);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
