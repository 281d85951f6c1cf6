package io.sluice.cli.image;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.DigestOutputStream;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.zip.GZIPOutputStream;

/**
 * A layer of an image, as a compressed file.
 *
 * @param origin says what it holds, for people
 * @param digest SHA-256 of the file
 * @param contentDigest SHA-256 of the tar archive in it
 */
record Layer(String origin, Path file, String digest, String contentDigest) {
    private static final int BUFFER = 1 << 16;

    /** Writes the files of a layer. */
    static Layer write(String origin, FileTree files, Path file) throws IOException {
        MessageDigest compressed = sha256();
        MessageDigest content = sha256();
        try (OutputStream out = new DigestOutputStream(Files.newOutputStream(file), compressed);
                OutputStream tar = new DigestOutputStream(new GZIPOutputStream(out, BUFFER), content)) {
            files.writeTo(tar);
        }
        return new Layer(origin, file, hex(compressed), hex(content));
    }

    static String digest(byte[] bytes) {
        MessageDigest digest = sha256();
        digest.update(bytes);
        return hex(digest);
    }

    private static String hex(MessageDigest digest) {
        return HexFormat.of().formatHex(digest.digest());
    }

    private static MessageDigest sha256() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new AssertionError("every JDK has it", e);
        }
    }
}
