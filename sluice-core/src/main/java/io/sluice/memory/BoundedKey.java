package io.sluice.memory;

import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Base64;

/*
 * A short key is stored as it is. A long key is stored as # and a digest. A short key that looks like such a digest is
 * digested too. So two different keys never become the same text.
 */
/** Shortens keys that clients choose to a maximum length. */
final class BoundedKey {
    private static final int MAX_LENGTH = 200;

    /** The mark, and 32 bytes in Base64. */
    private static final int DIGEST_LENGTH = 44;

    private static final char MARK = '#';

    private BoundedKey() {}

    static String bounded(String key) {
        int length = key.length();
        boolean storedAsIs = length <= MAX_LENGTH && (length != DIGEST_LENGTH || key.charAt(0) != MARK);
        return storedAsIs ? key : MARK + digest(key);
    }

    private static String digest(String key) {
        try {
            // Two bytes for each char: different texts have different bytes, unpaired surrogates included.
            ByteBuffer chars = ByteBuffer.allocate(Character.BYTES * key.length());
            chars.asCharBuffer().put(key);
            byte[] digest = MessageDigest.getInstance("SHA-256").digest(chars.array());
            return Base64.getUrlEncoder().withoutPadding().encodeToString(digest);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }
}
