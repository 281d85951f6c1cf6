package io.sluice.server.json;

import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CoderResult;
import java.nio.charset.StandardCharsets;

/** Validates and counts UTF-8 text. */
public final class Utf8 {
    private Utf8() {}

    /** The offset of the first byte that is not UTF-8; -1 if there is none. */
    public static int firstInvalid(byte[] bytes, int from, int to) {
        for (int i = from; i < to; i++) {
            if (bytes[i] < 0) {
                ByteBuffer in = ByteBuffer.wrap(bytes, i, to - i);
                CoderResult result = StandardCharsets.UTF_8.newDecoder().decode(in, CharBuffer.allocate(to - i), true);
                return result.isError() ? in.position() : -1;
            }
        }
        return -1;
    }

    /** The number of characters. A character counts if its first byte is in the range. */
    public static int characters(byte[] bytes, int from, int to) {
        int count = 0;
        for (int i = from; i < to; i++) {
            if ((bytes[i] & 0xC0) != 0x80) {
                count++;
            }
        }
        return count;
    }

    /** Decodes a text as UTF-8 that was decoded as ISO 8859-1 before. Returns it unchanged if it is not UTF-8. */
    public static String ofLatin1(String text) {
        for (int i = 0; i < text.length(); i++) {
            if (text.charAt(i) >= 0x80) {
                byte[] bytes = text.getBytes(StandardCharsets.ISO_8859_1);
                return firstInvalid(bytes, 0, bytes.length) < 0 ? new String(bytes, StandardCharsets.UTF_8) : text;
            }
        }
        return text;
    }

    /** The number of bytes of a text in UTF-8. */
    public static int length(String text) {
        int length = text.length();
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c >= 0x80) {
                // Each half of a surrogate pair counts two.
                length += c >= 0x800 && !Character.isSurrogate(c) ? 2 : 1;
            }
        }
        return length;
    }

    public static String hex(byte b) {
        return String.format("0x%02X", b);
    }
}
