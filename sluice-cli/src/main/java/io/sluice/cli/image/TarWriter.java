package io.sluice.cli.image;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Arrays;
import java.util.Locale;

/**
 * Writes a tar archive in the format ustar of POSIX. All entries have the same time, and only numbers as owners. So equal
 * content gives equal bytes.
 */
final class TarWriter implements AutoCloseable {
    /** The time of every file. The archive of classes also remembers it, and the JVM compares it. */
    static final Instant TIME = Instant.parse("2026-01-01T00:00:00Z");

    private static final int BLOCK = 512;
    private static final int NAME = 100;
    private static final int PREFIX = 155;

    private final OutputStream out;

    /** Closes the stream with the archive. */
    TarWriter(OutputStream out) {
        this.out = out;
    }

    void directory(String path, int mode, int owner) throws IOException {
        header(path + "/", mode, owner, 0, '5', "");
    }

    void link(String path, String target) throws IOException {
        header(path, 0777, 0, 0, '2', target);
    }

    void file(String path, int mode, byte[] content) throws IOException {
        file(path, mode, content.length, new ByteArrayInputStream(content));
    }

    void file(String path, int mode, Path content) throws IOException {
        try (InputStream in = Files.newInputStream(content)) {
            file(path, mode, Files.size(content), in);
        }
    }

    private void file(String path, int mode, long size, InputStream content) throws IOException {
        header(path, mode, 0, size, '0', "");
        long written = content.transferTo(out);
        if (written != size) {
            throw new IOException(path + " has changed while it was read: " + written + " bytes instead of " + size);
        }
        out.write(new byte[(int) (-size & (BLOCK - 1))]);
    }

    private void header(String path, int mode, int owner, long size, char type, String link) throws IOException {
        int split = split(path);
        byte[] header = new byte[BLOCK];
        text(header, 0, NAME, split < 0 ? path : path.substring(split + 1));
        octal(header, 100, 8, mode);
        octal(header, 108, 8, owner);
        octal(header, 116, 8, owner);
        octal(header, 124, 12, size);
        octal(header, 136, 12, TIME.getEpochSecond());
        header[156] = (byte) type;
        text(header, 157, NAME, link);
        text(header, 257, 8, "ustar\00000");
        text(header, 345, PREFIX, split < 0 ? "" : path.substring(0, split));
        // The checksum is computed as if it were spaces.
        Arrays.fill(header, 148, 156, (byte) ' ');
        int sum = 0;
        for (byte b : header) {
            sum += b & 0xff;
        }
        text(header, 148, 8, String.format(Locale.ROOT, "%06o\0 ", sum));
        out.write(header);
    }

    /** The slash at which a long path is divided into prefix and name; -1 if it need not be. */
    private static int split(String path) {
        if (path.length() <= NAME) {
            return -1;
        }
        int slash = path.indexOf('/', path.length() - NAME - 1);
        if (slash < 0 || slash > PREFIX || slash == path.length() - 1) {
            throw new IllegalArgumentException("path: " + path + " (expected: at most about 250 characters)");
        }
        return slash;
    }

    private static void octal(byte[] header, int from, int length, long value) {
        text(header, from, length, String.format(Locale.ROOT, "%0" + (length - 1) + "o", value));
    }

    private static void text(byte[] header, int from, int length, String text) {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        if (bytes.length > length) {
            throw new IllegalArgumentException(text + " (expected: at most " + length + " bytes)");
        }
        System.arraycopy(bytes, 0, header, from, bytes.length);
    }

    /** Writes the end of the archive. */
    @Override
    public void close() throws IOException {
        out.write(new byte[2 * BLOCK]);
        out.close();
    }
}
