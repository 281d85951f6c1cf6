package io.sluice.redis;

import java.util.Arrays;

/** Unsigned big-endian numbers and texts, one after the other. */
final class Bytes {
    private byte[] bytes;
    private int size;

    Bytes(int expected) {
        bytes = new byte[expected];
    }

    Bytes number(long value, int width) {
        require(width);
        for (int i = size + width - 1; i >= size; i--) {
            bytes[i] = (byte) value;
            value >>>= 8;
        }
        size += width;
        return this;
    }

    Bytes text(byte[] text) {
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

    byte[] toArray() {
        return Arrays.copyOf(bytes, size);
    }

    private void require(int more) {
        if (size + more > bytes.length) {
            bytes = Arrays.copyOf(bytes, Math.max(2 * bytes.length, size + more));
        }
    }
}
