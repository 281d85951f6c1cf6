package io.sluice.server.simulate.trace;

import io.sluice.server.json.DisplayText;
import java.io.IOException;
import java.io.InputStream;
import java.util.Arrays;

/** Splits CSV into fields by RFC 4180, one field at a time, for input of any length. */
final class CsvFieldReader {
    /** What ended a field. */
    enum End {
        COMMA,
        LINE,
        INPUT
    }

    private static final int LONGEST_FIELD = 1 << 24;

    private final InputStream in;
    private final byte[] buffer = new byte[1 << 16];
    private int position;
    private int limit;
    private boolean started;

    private byte[] field = new byte[256];
    private int length;
    private boolean quoted;
    private long line = 1;

    CsvFieldReader(InputStream in) {
        this.in = in;
    }

    /** The number of the line that is read next, from 1. */
    long line() {
        return line;
    }

    /** The latest field without its quotes: the first {@link #length()} bytes. */
    byte[] field() {
        return field;
    }

    int length() {
        return length;
    }

    /** Whether the field has no bytes, not even quotes. */
    boolean isEmpty() {
        return length == 0 && !quoted;
    }

    /** Reads the next field. At the end of the input, the field is empty. */
    End next() throws IOException {
        length = 0;
        quoted = false;
        copyPlain();
        int b = read();
        if (b == '"' && length == 0) {
            return readQuoted();
        }
        for (; !ends(b); b = read()) {
            if (b == '"') {
                throw new InvalidTraceException("a quote within " + DisplayText.quoted(field, length)
                        + " (expected: the whole field in quotes, and quotes within doubled)");
            }
            append(b);
        }
        return end(b);
    }

    /** Reads the rest of a quoted field. */
    private End readQuoted() throws IOException {
        quoted = true;
        while (true) {
            int b = read();
            if (b == '"') {
                b = read();
                if (ends(b)) {
                    return end(b);
                }
                if (b != '"') {
                    throw new InvalidTraceException(
                            "text after the closing quote of " + DisplayText.quoted(field, length)
                                    + " (expected: a comma or the end of the line; quotes within are doubled)");
                }
            } else if (b == '\n') {
                line++;
            } else if (b < 0) {
                throw new InvalidTraceException("the quotes that open " + DisplayText.quoted(field, length)
                        + " are never closed (expected: a closing quote)");
            }
            append(b);
        }
    }

    /** Copies the bytes up to the next special byte at once. */
    private void copyPlain() {
        int end = position;
        while (end < limit && isPlain(buffer[end])) {
            end++;
        }
        int count = Math.min(end - position, field.length);
        System.arraycopy(buffer, position, field, 0, count);
        position += count;
        length = count;
    }

    private static boolean isPlain(byte b) {
        return b > ',' || (b != ',' && b != '\n' && b != '\r' && b != '"');
    }

    private static boolean ends(int b) {
        return b == ',' || b == '\n' || b == '\r' || b < 0;
    }

    private End end(int b) throws IOException {
        if (b == ',') {
            return End.COMMA;
        }
        if (b < 0) {
            return End.INPUT;
        }
        if (b == '\r' && read() != '\n') {
            throw new InvalidTraceException(
                    "a carriage return within a line (expected: a line feed after it, or the field in quotes)");
        }
        line++;
        return End.LINE;
    }

    private void append(int b) {
        if (length == field.length) {
            if (length == LONGEST_FIELD) {
                throw new InvalidTraceException("a field that begins " + DisplayText.quoted(field, length)
                        + " is too long (expected: at most " + LONGEST_FIELD + " bytes; is a closing quote missing?)");
            }
            field = Arrays.copyOf(field, 2 * length);
        }
        field[length++] = (byte) b;
    }

    private int read() throws IOException {
        return position < limit ? buffer[position++] & 0xff : refill();
    }

    private int refill() throws IOException {
        position = 0;
        limit = Math.max(0, in.read(buffer));
        if (!started) {
            started = true;
            skipByteOrderMark();
        }
        return limit > position ? buffer[position++] & 0xff : -1;
    }

    private void skipByteOrderMark() throws IOException {
        while (limit > 0 && limit < 3 && buffer[0] == (byte) 0xEF) {
            int more = in.read(buffer, limit, 3 - limit);
            if (more < 0) {
                return;
            }
            limit += more;
        }
        if (limit >= 3 && buffer[0] == (byte) 0xEF && buffer[1] == (byte) 0xBB && buffer[2] == (byte) 0xBF) {
            position = 3;
            if (position == limit) {
                position = 0;
                limit = Math.max(0, in.read(buffer));
            }
        }
    }
}
