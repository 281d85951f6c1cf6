package io.sluice.cli;

import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CoderResult;
import java.nio.charset.StandardCharsets;

/** Looks at bytes that should be UTF-8. */
final class Utf8 {
    private Utf8() {}

    /** Where the first byte is that is wrong there; -1 if all is well. */
    static int firstWrong(byte[] bytes, int from, int to) {
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
    static int characters(byte[] bytes, int from, int to) {
        int count = 0;
        for (int i = from; i < to; i++) {
            if ((bytes[i] & 0xC0) != 0x80) {
                count++;
            }
        }
        return count;
    }

    static String shown(byte b) {
        return String.format("0x%02X", b);
    }
}
