package io.sluice.policy.match;

import io.sluice.policy.Address;
import io.sluice.policy.KeyPart;
import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Base64;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/*
 * Different values never have the same text, although clients choose the values:
 *
 * - A single value is written as it is. Several values are joined by commas. A comma or a backslash in a value gets a
 *   backslash before it, so that it differs from a separator.
 * - In a part that is a network, an address becomes the text of the network, which begins with a digit, a letter or a
 *   colon. A value that is not an address gets an equals sign in front. So "2001:db8::/64", sent as an address, is not
 *   taken for a network.
 * - A text of more than 200 characters becomes "#" and a digest of the values, each with its length, as UTF-16 code
 *   units (two lone surrogates differ there, but not as UTF-8). Any other text that begins with "#" gets a second "#".
 *   A digest contains no "#".
 */
/** Formats the key of a policy from the values of a request. The store keeps state under that text. Immutable. */
public final class KeyFormat {
    /** The maximum number of characters. */
    static final int MAX_LENGTH = 200;

    private static final int CHUNK = 4096;

    private final KeyPart[] parts;
    private final int[] slots;

    public KeyFormat(List<KeyPart> parts, AttributeSlots attributes) {
        this.parts = parts.toArray(KeyPart[]::new);
        this.slots = new int[this.parts.length];
        for (int i = 0; i < slots.length; i++) {
            slots[i] = attributes.slot(this.parts[i].attribute());
        }
    }

    /** Whether the request has all attributes of the key. */
    private boolean hasAll(@Nullable String[] values) {
        for (int slot : slots) {
            if (values[slot] == null) {
                return false;
            }
        }
        return true;
    }

    /** The first attribute of the key that a request does not have; null if it has all. */
    public @Nullable String firstAbsent(@Nullable String[] values) {
        for (int i = 0; i < slots.length; i++) {
            if (values[slots[i]] == null) {
                return parts[i].attribute();
            }
        }
        return null;
    }

    /** The text, of at most {@link #MAX_LENGTH} characters; null if an attribute is absent. */
    public @Nullable String format(@Nullable String[] values) {
        if (!hasAll(values)) {
            return null;
        }
        if (parts.length == 1) {
            String text = text(values, 0);
            return text.length() > MAX_LENGTH ? digest(values) : escapeHash(text, values);
        }
        StringBuilder out = new StringBuilder();
        for (int i = 0; i < parts.length; i++) {
            String text = text(values, i);
            if (out.length() + text.length() > MAX_LENGTH) {
                return digest(values);
            }
            if (i > 0) {
                out.append(',');
            }
            appendEscaped(out, text);
        }
        return out.length() > MAX_LENGTH ? digest(values) : escapeHash(out.toString(), values);
    }

    /** The key for a reader: the values, or the networks, by the text of the part. Computed when it is first read. */
    public Map<String, String> display(@Nullable String[] values) {
        if (parts.length == 0) {
            return Map.of();
        }
        return new LazyKeyMap(this, values);
    }

    /** {@link #display}, computed now. */
    Map<String, String> computeDisplay(@Nullable String[] values) {
        Map<String, String> shown = new LinkedHashMap<>();
        for (int i = 0; i < parts.length; i++) {
            shown.put(parts[i].toString(), shown(values, i));
        }
        return Collections.unmodifiableMap(shown);
    }

    private String shown(@Nullable String[] values, int i) {
        String value = value(values, i);
        String network = network(value, parts[i].prefix());
        return network == null ? value : network;
    }

    private String text(@Nullable String[] values, int i) {
        String value = value(values, i);
        if (parts[i].prefix() == KeyPart.WHOLE) {
            return value;
        }
        String network = network(value, parts[i].prefix());
        return network != null ? network : "=" + value;
    }

    private String value(@Nullable String[] values, int i) {
        String value = values[slots[i]];
        if (value == null) {
            throw new IllegalArgumentException(parts[i].attribute() + ": absent (expected: a value)");
        }
        return value;
    }

    private static @Nullable String network(String value, int prefix) {
        Address address = prefix == KeyPart.WHOLE ? null : Address.parseOrNull(value);
        if (address == null) {
            return null;
        }
        int kept = Math.min(prefix, address.bits());
        return address.masked(kept) + "/" + kept;
    }

    private static void appendEscaped(StringBuilder out, String text) {
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c == ',' || c == '\\') {
                out.append('\\');
            }
            out.append(c);
        }
    }

    private String escapeHash(String text, @Nullable String[] values) {
        if (!text.startsWith("#")) {
            return text;
        }
        return text.length() < MAX_LENGTH ? "#" + text : digest(values);
    }

    private String digest(@Nullable String[] values) {
        MessageDigest sha = sha256();
        ByteBuffer buffer = ByteBuffer.allocate(CHUNK);
        for (int i = 0; i < parts.length; i++) {
            String text = text(values, i);
            sha.update(buffer.clear().putInt(text.length()).flip());
            for (int from = 0; from < text.length(); from += CHUNK / 2) {
                buffer.clear().asCharBuffer().put(text, from, Math.min(from + CHUNK / 2, text.length()));
                sha.update(buffer.limit(2 * Math.min(CHUNK / 2, text.length() - from)));
            }
        }
        return "#" + Base64.getUrlEncoder().withoutPadding().encodeToString(sha.digest());
    }

    /** A new SHA-256 digest. */
    public static MessageDigest sha256() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }
}
