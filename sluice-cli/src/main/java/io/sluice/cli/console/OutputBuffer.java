package io.sluice.cli.console;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;

/** A buffer for output. An error of the stream is thrown as {@link OutputException}. */
public final class OutputBuffer {
    private static final byte[] TENS = places(10);
    private static final byte[] ONES = places(1);
    private static final int LONGEST_NUMBER = 20;

    private final OutputStream out;
    private final byte[] bytes = new byte[1 << 16];
    private int length;
    private final byte[] digits = new byte[LONGEST_NUMBER];

    public OutputBuffer(OutputStream out) {
        this.out = out;
    }

    public static byte[] ascii(String text) {
        return text.getBytes(StandardCharsets.US_ASCII);
    }

    public void put(char ascii) {
        reserve(1);
        bytes[length++] = (byte) ascii;
    }

    public void put(byte[] source) {
        put(source, 0, source.length);
    }

    public void put(byte[] source, int from, int count) {
        if (count > bytes.length) {
            flush();
            write(source, from, count);
            return;
        }
        reserve(count);
        System.arraycopy(source, from, bytes, length, count);
        length += count;
    }

    /** Puts a number in decimal digits. */
    public void put(long number) {
        if (number >= 0 && number < 10) {
            put((char) ('0' + number));
            return;
        }
        int from = LONGEST_NUMBER;
        long left = Math.abs(number);
        while (left >= 100) {
            int pair = (int) (left % 100);
            left /= 100;
            digits[--from] = ONES[pair];
            digits[--from] = TENS[pair];
        }
        digits[--from] = ONES[(int) left];
        if (left >= 10) {
            digits[--from] = TENS[(int) left];
        }
        if (number < 0) {
            digits[--from] = '-';
        }
        put(digits, from, LONGEST_NUMBER - from);
    }

    public void flush() {
        write(bytes, 0, length);
        length = 0;
    }

    private void reserve(int count) {
        if (count > bytes.length - length) {
            flush();
        }
    }

    private void write(byte[] source, int from, int count) {
        if (count == 0) {
            return;
        }
        try {
            out.write(source, from, count);
            out.flush();
        } catch (IOException e) {
            throw new OutputException(e);
        }
    }

    private static byte[] places(int place) {
        byte[] digits = new byte[100];
        for (int i = 0; i < digits.length; i++) {
            digits[i] = (byte) ('0' + i / place % 10);
        }
        return digits;
    }
}
