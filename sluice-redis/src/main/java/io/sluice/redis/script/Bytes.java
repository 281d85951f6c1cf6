package io.sluice.redis.script;

import java.util.Arrays;

/** Builds the binary arguments of scripts: unsigned big-endian numbers and texts, one after the other. */
public final class Bytes {
    private byte[] bytes;
    private int size;

    public Bytes(int expected) {
        bytes = new byte[expected];
    }

    public Bytes number(long value, int width) {
        require(width);
        for (int i = size + width - 1; i >= size; i--) {
            bytes[i] = (byte) value;
            value >>>= 8;
        }
        size += width;
        return this;
    }

    public Bytes text(byte[] text) {
        require(text.length);
        System.arraycopy(text, 0, bytes, size, text.length);
        size += text.length;
        return this;
    }

    Bytes chars(String text) {
        for (int i = 0; i < text.length(); i++) {
            number(text.charAt(i), 2);
        }
        return this;
    }

    int size() {
        return size;
    }

    public byte[] toArray() {
        return Arrays.copyOf(bytes, size);
    }

    private void require(int more) {
        if (size + more > bytes.length) {
            bytes = Arrays.copyOf(bytes, Math.max(2 * bytes.length, size + more));
        }
    }
}
