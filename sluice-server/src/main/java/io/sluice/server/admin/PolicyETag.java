package io.sluice.server.admin;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/**
 * The {@code ETag} of a policy text: the first half of its SHA-256, in hexadecimal digits and quotes. It depends only on the
 * text, so it is the same on every replica and after a restart.
 */
final class PolicyETag {
    private static final int BYTES = 16;

    private PolicyETag() {}

    /** The value of the header, such as {@code "9f86d081884c7d659a2feaa0c55ad015"}. */
    static String of(String text) {
        try {
            byte[] digest = MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8));
            return '"' + HexFormat.of().formatHex(digest, 0, BYTES) + '"';
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }
}
