package io.sluice.policy;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;

/** What was found in a file; equal if the bytes are. */
final class FileBytes {
    /** Not to be changed. */
    final byte[] bytes;

    FileBytes(byte[] bytes) {
        this.bytes = bytes;
    }

    /** See {@link Policies#read}. */
    static FileBytes read(Path file) throws IOException {
        return new FileBytes(Policies.read(file));
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof FileBytes file && Arrays.equals(bytes, file.bytes);
    }

    @Override
    public int hashCode() {
        return Arrays.hashCode(bytes);
    }
}
