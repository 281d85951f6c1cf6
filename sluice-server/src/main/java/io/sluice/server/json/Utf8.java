package io.sluice.server.json;

import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CoderResult;
import java.nio.charset.StandardCharsets;

/** Looks at bytes that should be UTF-8. */
public final class Utf8 {
    private Utf8() {}

    /** Where the first byte is that is wrong there; -1 if all is well. */
    public static int firstWrong(byte[] bytes, int from, int to) {
        for (int i = from; i < to; i++) {
            if (bytes[i] < 0) {
                ByteBuffer in = ByteBuffer.wrap(bytes, i, to - i);
                CoderResult result = StandardCharsets.UTF_8.newDecoder().decode(in, CharBuffer.allocate(to - i), true);
                return result.isError() ? in.position() : -1;
            }
        }
        return -1;
    }

    /** How many characters there are, each counted where it begins. */
    public static int characters(byte[] bytes, int from, int to) {
        int count = 0;
        for (int i = from; i < to; i++) {
            if ((bytes[i] & 0xC0) != 0x80) {
                count++;
            }
        }
        return count;
    }

    /** A text that was read as if each byte were a character: as what it is if it is UTF-8, else as it was read. */
    public static String ofLatin1(String text) {
        for (int i = 0; i < text.length(); i++) {
            if (text.charAt(i) >= 0x80) {
                byte[] bytes = text.getBytes(StandardCharsets.ISO_8859_1);
                return firstWrong(bytes, 0, bytes.length) < 0 ? new String(bytes, StandardCharsets.UTF_8) : text;
            }
        }
        return text;
    }

    /** How many bytes a text has. */
    public static int length(String text) {
        int length = text.length();
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c >= 0x80) {
                // Of a pair, each half counts two.
                length += c >= 0x800 && !Character.isSurrogate(c) ? 2 : 1;
            }
        }
        return length;
    }

    public static String shown(byte b) {
        return String.format("0x%02X", b);
    }
}
