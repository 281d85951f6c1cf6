package io.sluice.server.admin;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/**
 * The {@code ETag} of a text of policies: the first half of its SHA-256, in hexadecimal digits and in quotes. It depends on
 * nothing but the text, so it means the same on every replica and after a restart.
 */
final class EntityTag {
    private static final int BYTES = 16;

    private EntityTag() {}

    /** As the header has it, such as {@code "9f86d081884c7d659a2feaa0c55ad015"}. */
    static String of(String text) {
        try {
            byte[] digest = MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8));
            return '"' + HexFormat.of().formatHex(digest, 0, BYTES) + '"';
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }
}
