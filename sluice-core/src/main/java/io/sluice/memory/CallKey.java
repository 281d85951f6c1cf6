package io.sluice.memory;

import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Base64;

/*
 * A short key stands for itself. Of a long one, # and a digest are kept; so is of a short one that looks like that. So no
 * two keys become the same text.
 */
/** The keys of calls, which clients choose, in bounded length. */
final class CallKey {
    private static final int LONGEST = 200;

    /** A mark, and 32 bytes in base64. */
    private static final int DIGEST = 44;

    private static final char MARK = '#';

    private CallKey() {}

    static String bounded(String key) {
        int length = key.length();
        boolean plain = length <= LONGEST && (length != DIGEST || key.charAt(0) != MARK);
        return plain ? key : MARK + digest(key);
    }

    private static String digest(String key) {
        try {
            // Two bytes for each char: no two texts become the same bytes, lone surrogates included.
            ByteBuffer chars = ByteBuffer.allocate(Character.BYTES * key.length());
            chars.asCharBuffer().put(key);
            byte[] digest = MessageDigest.getInstance("SHA-256").digest(chars.array());
            return Base64.getUrlEncoder().withoutPadding().encodeToString(digest);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }
}
