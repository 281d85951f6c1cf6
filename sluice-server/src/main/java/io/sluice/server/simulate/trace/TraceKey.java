package io.sluice.server.simulate.trace;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** A key, as text for the store and as the original bytes for the output. */
public final class TraceKey {
    private final byte[] utf8;
    private final String text;
    private final boolean plain;

    TraceKey(byte[] utf8, String text) {
        this.utf8 = utf8;
        this.text = text;
        this.plain = isPlain(utf8);
    }

    public static TraceKey of(String text) {
        return new TraceKey(text.getBytes(StandardCharsets.UTF_8), text);
    }

    public String text() {
        return text;
    }

    /** The key in UTF-8. Callers must not change the array. */
    public byte[] utf8() {
        return utf8;
    }

    /** Whether every output format can write the key without quotes and escapes. */
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
