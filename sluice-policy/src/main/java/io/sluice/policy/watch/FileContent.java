package io.sluice.policy.watch;

import io.sluice.policy.yaml.YamlText;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;

/** The content of a file. Two contents are equal if their bytes are equal. */
public final class FileContent {
    private final byte[] bytes;

    FileContent(byte[] bytes) {
        this.bytes = bytes;
    }

    /** See {@link YamlText#readBytes}. */
    public static FileContent read(Path file) throws IOException {
        return new FileContent(YamlText.readBytes(file));
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
