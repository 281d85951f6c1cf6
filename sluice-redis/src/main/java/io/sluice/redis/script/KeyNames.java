package io.sluice.redis.script;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Base64;

/*
 * A key is prefix:{name:key}. Name and key are escaped, so that distinct pairs never meet (the first colon ends the
 * name) and no text of a user can open or close a hash tag. What is too long becomes # and a digest; a literal # at the
 * front is escaped, so a digest meets no text.
 */
/** Names the keys of one store. */
public final class KeyNames {
    /** The most bytes of a name or a key that are kept as they are. */
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

    /** Everything up to a key, for the keys of one limiter. */
    public byte[] keyPrefix(String limiter) {
        return bytes(prefix + ":{" + bounded(limiter) + ":");
    }

    /** Everything up to a key, for the keys of one call limiter. No key of a limiter has two colons. */
    public byte[] callKeyPrefix(String limiter) {
        return bytes(prefix + ":{:" + bounded(limiter) + ":");
    }

    /**
     * A key that a client may choose, in bounded length: itself, or # and a digest. So is one that looks like that, so no two
     * keys become the same.
     */
    public static String shortened(String key) {
        boolean plain = key.length() <= LONGEST && (key.length() != DIGEST || key.charAt(0) != '#');
        return plain ? key : "#" + digest(key);
    }

    public byte[] key(byte[] keyPrefix, String key) {
        byte[] escaped = bytes(bounded(key));
        byte[] name = new byte[keyPrefix.length + escaped.length + 1];
        System.arraycopy(keyPrefix, 0, name, 0, keyPrefix.length);
        System.arraycopy(escaped, 0, name, keyPrefix.length, escaped.length);
        name[name.length - 1] = '}';
        return name;
    }

    /** Where the entries of the i-th limit of a key are, from 1, if there are many. */
    public static byte[] spill(byte[] key, int i) {
        byte[] suffix = bytes(":" + i);
        byte[] name = new byte[key.length + suffix.length];
        System.arraycopy(key, 0, name, 0, key.length);
        System.arraycopy(suffix, 0, name, key.length, suffix.length);
        return name;
    }

    /** No key has a tag without a colon, so this meets none. */
    public byte[] config() {
        return bytes(prefix + ":{config}");
    }

    public byte[] processes() {
        return bytes(prefix + ":{config}:processes");
    }

    public byte[] publication(String name) {
        return bytes(prefix + ":{config}:published:" + bounded(name));
    }

    /** Who is ready for an edition of a publication. */
    public byte[] ready(String name) {
        return bytes(prefix + ":{config}:ready:" + bounded(name));
    }

    /** What the configuration is to become, as somebody wants it. */
    public byte[] staged(String id) {
        return bytes(prefix + ":{config}:staged:" + id);
    }

    /** The field of the configuration that is about a limiter. */
    public static byte[] field(String limiter) {
        return bytes(":" + bounded(limiter));
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    private static String bounded(String text) {
        // Escaping makes nothing shorter, so what is far too long need not be escaped at all.
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
            // Two bytes for each char: no two texts become the same bytes, lone surrogates included.
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
