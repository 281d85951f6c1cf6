package io.sluice.server.settings;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;

/** Reads small text files. */
final class TextFile {
    private static final int MAX_BYTES = 1 << 20;

    private TextFile() {}

    /** Reads the whole file as UTF-8. */
    static String read(Path file) throws IOException {
        if (Files.isDirectory(file)) {
            throw new IOException("is a directory");
        }
        try (InputStream in = Files.newInputStream(file)) {
            byte[] bytes = in.readNBytes(MAX_BYTES + 1);
            if (bytes.length > MAX_BYTES) {
                throw new IOException("longer than " + MAX_BYTES + " bytes");
            }
            return StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(java.nio.ByteBuffer.wrap(bytes))
                    .toString();
        }
    }

    /** A short text that says why a file could not be read. */
    static String reason(IOException e) {
        if (e instanceof NoSuchFileException) {
            return "no such file";
        } else if (e instanceof AccessDeniedException) {
            return "permission denied";
        } else if (e instanceof CharacterCodingException) {
            return "not UTF-8";
        }
        return String.valueOf(e.getMessage());
    }
}
