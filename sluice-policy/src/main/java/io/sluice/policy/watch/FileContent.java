package io.sluice.policy.watch;

import io.sluice.policy.yaml.YamlText;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;

/** The content of a file. Two contents are equal if their bytes are equal. */
public final class FileContent {
    private static final int BUFFER = 8192;

    private final byte[] bytes;

    FileContent(byte[] bytes) {
        this.bytes = bytes;
    }

    /** See {@link YamlText#readBytes}. */
    public static FileContent read(Path file) throws IOException {
        return new FileContent(YamlText.readBytes(file));
    }

    /**
     * Reads a file again. Returns {@code before} if nothing has changed: files are read several times a second, and would
     * otherwise be as much garbage.
     */
    static FileContent read(Path file, FileContent before) throws IOException {
        return before.isIn(file) ? before : read(file);
    }

    private boolean isIn(Path file) throws IOException {
        byte[] buffer = new byte[Math.min(bytes.length + 1, BUFFER)];
        int from = 0;
        try (InputStream in = Files.newInputStream(file)) {
            for (int count = in.read(buffer); count >= 0; count = in.read(buffer)) {
                if (count > bytes.length - from || !Arrays.equals(bytes, from, from + count, buffer, 0, count)) {
                    return false;
                }
                from += count;
            }
        }
        return from == bytes.length;
    }

    /** The bytes, not copied; the caller must not change them. */
    public byte[] bytes() {
        return bytes;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof FileContent file && Arrays.equals(bytes, file.bytes);
    }

    @Override
    public int hashCode() {
        return Arrays.hashCode(bytes);
    }
}
