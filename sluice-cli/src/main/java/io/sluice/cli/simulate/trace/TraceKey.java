package io.sluice.cli.simulate.trace;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** A key as the store wants it and as the bytes that came in, which go out again unchanged. */
public final class TraceKey {
    private final byte[] utf8;
    private final String text;
    private final boolean plain;

    TraceKey(byte[] utf8, String text) {
        this.utf8 = utf8;
        this.text = text;
        this.plain = isPlain(utf8);
    }

    static TraceKey of(String text) {
        return new TraceKey(text.getBytes(StandardCharsets.UTF_8), text);
    }

    public String text() {
        return text;
    }

    /** The content, in UTF-8; not to be changed. */
    public byte[] utf8() {
        return utf8;
    }

    /** Whether no output format needs to quote or escape any of it. */
    public boolean plain() {
        return plain;
    }

    boolean has(byte[] bytes, int length) {
        return Arrays.equals(utf8, 0, utf8.length, bytes, 0, length);
    }

    private static boolean isPlain(byte[] utf8) {
        for (byte b : utf8) {
            if ((b >= 0 && b < ' ') || b == '"' || b == ',' || b == '\\') {
                return false;
            }
        }
        return true;
    }
}
