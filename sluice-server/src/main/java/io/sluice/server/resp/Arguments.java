package io.sluice.server.resp;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.Arrays;

/** The arguments of one command, its name first, as ranges of the input bytes. Valid until the next command is read. */
final class Arguments {
    private static final int INITIAL_CAPACITY = 8;

    byte[] bytes = {};
    private int count;
    private long number;
    private int[] from = new int[INITIAL_CAPACITY];
    private int[] to = new int[INITIAL_CAPACITY];

    int count() {
        return count;
    }

    void clear() {
        count = 0;
    }

    void add(int begin, int end) {
        if (count == from.length) {
            from = Arrays.copyOf(from, 2 * count);
            to = Arrays.copyOf(to, 2 * count);
        }
        from[count] = begin;
        to[count++] = end;
    }

    /** Adapts the ranges after the bytes were moved towards the front. */
    void shift(int distance) {
        for (int i = 0; i < count; i++) {
            from[i] -= distance;
            to[i] -= distance;
        }
    }

    Arguments copy() {
        Arguments copy = new Arguments();
        copy.count = count;
        // Only the used part: the command before may have had thousands of arguments.
        copy.from = Arrays.copyOf(from, Math.max(INITIAL_CAPACITY, count));
        copy.to = Arrays.copyOf(to, Math.max(INITIAL_CAPACITY, count));
        return copy;
    }

    /** The bytes of memory of the ranges. */
    int memoryBytes() {
        return 2 * Integer.BYTES * from.length;
    }

    int from(int i) {
        return from[i];
    }

    int length(int i) {
        return to[i] - from[i];
    }

    byte[] bytes(int i) {
        return Arrays.copyOfRange(bytes, from[i], to[i]);
    }

    /** Whether an argument is that word, in upper or lower case. */
    boolean is(int i, String upperCase) {
        int length = upperCase.length();
        if (length(i) != length) {
            return false;
        }
        int at = from[i];
        for (int k = 0; k < length; k++) {
            int c = bytes[at + k];
            if ((c >= 'a' && c <= 'z' ? c - 32 : c) != upperCase.charAt(k)) {
                return false;
            }
        }
        return true;
    }

    /** The text of an argument for a message. Bytes that are not UTF-8 are replaced. */
    String display(int i) {
        return new String(bytes, from[i], length(i), UTF_8);
    }

    /**
     * The exact text of an argument.
     *
     * @throws CommandException if it is not UTF-8, because different arguments would have the same text
     */
    String text(int i) throws CommandException {
        String text = display(i);
        if (text.indexOf('\uFFFD') >= 0 && !Arrays.equals(text.getBytes(UTF_8), bytes(i))) {
            throw new CommandException("ERR argument " + i + ": " + text + " (expected: UTF-8)");
        }
        return text;
    }

    /**
     * The value of an argument as a whole number.
     *
     * @throws CommandException if it is not a number of 64 bits
     */
    long number(int i) throws CommandException {
        if (!isNumber(i)) {
            throw new CommandException("ERR Cell error: Couldn't parse as integer: " + display(i));
        }
        return number;
    }

    /** Whether an argument is a whole number of 64 bits. */
    boolean isNumber(int i) {
        int at = from[i];
        int end = to[i];
        boolean negative = at < end && bytes[at] == '-';
        if (at < end && (negative || bytes[at] == '+')) {
            at++;
        }
        if (at == end) {
            return false;
        }
        long limit = negative ? Long.MIN_VALUE : -Long.MAX_VALUE;
        long value = 0; // negative, because there is one more negative number
        for (; at < end; at++) {
            int digit = bytes[at] - '0';
            if (digit < 0 || digit > 9 || value < limit / 10 || value * 10 < limit + digit) {
                return false;
            }
            value = value * 10 - digit;
        }
        number = negative ? value : -value;
        return true;
    }
}
