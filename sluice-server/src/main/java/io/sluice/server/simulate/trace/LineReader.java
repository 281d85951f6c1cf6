package io.sluice.server.simulate.trace;

import io.sluice.server.json.DisplayText;
import java.io.IOException;
import java.io.InputStream;
import java.util.Arrays;

/** Splits input of any length into lines. A line ends with LF or CRLF. */
final class LineReader {
    private static final int LONGEST = 1 << 24;

    private final InputStream in;
    private byte[] buffer = new byte[1 << 16];
    private int from;
    private int to;
    private int next;
    private int limit;
    private long line;

    LineReader(InputStream in) {
        this.in = in;
    }

    /** Goes to the next line; false if there is none. */
    boolean next() throws IOException {
        int searched = next;
        while (true) {
            for (int i = searched; i < limit; i++) {
                if (buffer[i] == '\n') {
                    take(i, i + 1);
                    return true;
                }
            }
            searched = limit - next;
            if (!refill()) {
                break;
            }
        }
        if (next == limit) {
            return false;
        }
        take(limit, limit);
        return true;
    }

    private void take(int end, int after) {
        from = next;
        to = end > from && buffer[end - 1] == '\r' ? end - 1 : end;
        next = after;
        line++;
        if (line == 1 && startsWithByteOrderMark()) {
            from += 3;
        }
    }

    private boolean startsWithByteOrderMark() {
        return to - from >= 3
                && buffer[from] == (byte) 0xEF
                && buffer[from + 1] == (byte) 0xBB
                && buffer[from + 2] == (byte) 0xBF;
    }

    /** Moves the current line to the start of the buffer and reads more of it; false at the end of the input. */
    private boolean refill() throws IOException {
        System.arraycopy(buffer, next, buffer, 0, limit - next);
        limit -= next;
        next = 0;
        if (limit == buffer.length) {
            if (limit >= LONGEST) {
                throw new InvalidTraceException("a line that begins " + DisplayText.quoted(buffer, limit)
                        + " is too long (expected: at most " + LONGEST + " bytes)");
            }
            buffer = Arrays.copyOf(buffer, 2 * limit);
        }
        int count = in.read(buffer, limit, buffer.length - limit);
        limit += Math.max(0, count);
        return count >= 0;
    }

    /** The number of the line, from 1; 0 before the first. */
    long line() {
        return line;
    }

    /** A buffer that holds the line from {@link #from()} to {@link #to()}, until the next call of {@link #next()}. */
    byte[] bytes() {
        return buffer;
    }

    int from() {
        return from;
    }

    int to() {
        return to;
    }
}
