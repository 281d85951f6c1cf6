package io.sluice.redis.script;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.Base64;

/*
 * A key in Redis is prefix:{name:key}. Name and key are escaped, so that different pairs have different keys (the first
 * colon ends the name) and no text of a user can open or close a hash tag. A text that is too long becomes # and a digest.
 * A # at the front of a text is escaped, so no text looks like a digest.
 */
/** Names the keys of one store in Redis. */
public final class KeyNames {
    /** A name or a key with more bytes is replaced by a digest. */
    static final int LONGEST = 200;

    /** The length of # and a digest. */
    private static final int DIGEST = 44;

    private static final String HEX = "0123456789ABCDEF";

    private final String prefix;

    public KeyNames(String prefix) {
        for (int i = 0; i < prefix.length(); i++) {
            char c = prefix.charAt(i);
            if (c == '{' || c == '}' || c <= ' ' || c > '~') {
                throw new IllegalArgumentException("prefix: \"" + prefix
                        + "\" (expected: printable ASCII without spaces and braces, found \"" + c + "\")");
            }
        }
        if (prefix.isEmpty() || prefix.length() > LONGEST) {
            throw new IllegalArgumentException(
                    "prefix: \"" + prefix + "\" (expected: 1 to " + LONGEST + " characters)");
        }
        this.prefix = prefix;
    }

    public String prefix() {
        return prefix;
    }

    /** The part of the name before the key, for all keys of one limiter. */
    public byte[] keyPrefix(String limiter) {
        return bytes(prefix + ":{" + bounded(limiter) + ":");
    }

    /** The part of the name before the key, for all keys of one call limiter. Keys of limiters never have two colons there. */
    public byte[] callKeyPrefix(String limiter) {
        return bytes(prefix + ":{:" + bounded(limiter) + ":");
    }

    /**
     * Bounds the length of a key that clients choose: returns the key itself, or # and a digest. A key that looks like a
     * digest is also replaced, so no two keys become the same.
     */
    public static String shortened(String key) {
        boolean plain = key.length() <= LONGEST && (key.length() != DIGEST || key.charAt(0) != '#');
        return plain ? key : "#" + digest(key);
    }

    /**
     * Bounds the length of the name of a limiter, which may have the whole match of an override: returns the name itself, or # and a
     * digest. No other name begins with #.
     */
    public static String shortName(String limiter) {
        return limiter.length() > LONGEST || limiter.startsWith("#") ? "#" + digest(limiter) : limiter;
    }

    /** {@link #keyPrefix} of a limiter whose {@link #shortName} is known, and does not stand for a name that begins with #. */
    public byte[] keyPrefixOfShort(String shortName) {
        return shortName.startsWith("#") ? bytes(prefix + ":{" + shortName + ":") : keyPrefix(shortName);
    }

    public byte[] key(byte[] keyPrefix, String key) {
        byte[] escaped = bytes(bounded(key));
        byte[] name = new byte[keyPrefix.length + escaped.length + 1];
        System.arraycopy(keyPrefix, 0, name, 0, keyPrefix.length);
        System.arraycopy(escaped, 0, name, keyPrefix.length, escaped.length);
        name[name.length - 1] = '}';
        return name;
    }

    /** The name of the spill key, which has the entries of the i-th limit of a key, from 1, if there are many. */
    public static byte[] spill(byte[] key, int i) {
        return joined(key, ":" + i);
    }

    /** The name of the record of a reservation, on the slot of a key that it charges. */
    public static byte[] reservation(byte[] key, String id) {
        return joined(key, ":r:" + id);
    }

    private static byte[] joined(byte[] key, String end) {
        byte[] suffix = bytes(end);
        byte[] name = Arrays.copyOf(key, key.length + suffix.length);
        System.arraycopy(suffix, 0, name, key.length, suffix.length);
        return name;
    }

    /** The configuration. No other key has a hash tag without a colon. */
    public byte[] config() {
        return bytes(prefix + ":{config}");
    }

    public byte[] processes() {
        return bytes(prefix + ":{config}:processes");
    }

    public byte[] publication(String name) {
        return bytes(prefix + ":{config}:published:" + bounded(name));
    }

    /** The processes that are ready for an edition of a publication. */
    public byte[] ready(String name) {
        return bytes(prefix + ":{config}:ready:" + bounded(name));
    }

    /** A page of notes that processes leave for each other. */
    public byte[] notes(String name, String page) {
        return bytes(prefix + ":{config}:notes:" + bounded(name) + ":" + bounded(page));
    }

    /** Exists while a process writes many limits. */
    public byte[] writer() {
        return bytes(prefix + ":{config}:writer");
    }

    /** A copy of the configuration that a process prepares with new limits. */
    public byte[] staged(String id) {
        return bytes(prefix + ":{config}:staged:" + id);
    }

    /** The field of a limiter in the configuration. */
    public static byte[] field(String limiter) {
        return bytes(":" + bounded(limiter));
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    private static String bounded(String text) {
        // Escaping never makes a text shorter, so a text that is too long need not be escaped.
        String escaped = text.length() > LONGEST ? text : escaped(text);
        return escaped.length() > LONGEST || bytes(escaped).length > LONGEST ? "#" + digest(text) : escaped;
    }

    private static String escaped(String text) {
        int i = 0;
        while (i < text.length() && isPlain(text.charAt(i), i)) {
            i++;
        }
        if (i == text.length()) {
            return text;
        }
        StringBuilder escaped = new StringBuilder(text.length() + 8).append(text, 0, i);
        for (; i < text.length(); i++) {
            char c = text.charAt(i);
            if (isPlain(c, i)) {
                escaped.append(c);
            } else if (Character.isHighSurrogate(c)
                    && i + 1 < text.length()
                    && Character.isLowSurrogate(text.charAt(i + 1))) {
                escaped.append(c).append(text.charAt(++i));
            } else if (Character.isSurrogate(c)) {
                escaped.append("%u").append(Integer.toHexString(c));
            } else {
                escaped.append('%').append(HEX.charAt((c >> 4) & 15)).append(HEX.charAt(c & 15));
            }
        }
        return escaped.toString();
    }

    private static boolean isPlain(char c, int position) {
        if (c == '%' || c == ':' || c == '{' || c == '}' || (c == '#' && position == 0)) {
            return false;
        }
        return c > ' ' && c != 0x7f && !Character.isSurrogate(c);
    }

    private static String digest(String text) {
        try {
            // Two bytes for each char: different texts have different bytes, even with lone surrogates.
            MessageDigest sha = MessageDigest.getInstance("SHA-256");
            return Base64.getUrlEncoder()
                    .withoutPadding()
                    .encodeToString(sha.digest(
                            new Bytes(2 * text.length() + 1).chars(text).toArray()));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }
}
