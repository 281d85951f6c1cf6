package io.sluice.server.simulate.trace;

import io.sluice.server.json.DisplayText;
import io.sluice.server.simulate.trace.CsvFieldReader.End;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Reads requests from CSV with the header {@code time_us,key,permits}. */
public final class CsvRequestReader implements RequestReader<KeyRequest> {
    public static final String HEADER = "time_us,key,permits";

    private static final long MOST = (1L << 53) - 1;

    private final String source;
    private final CsvFieldReader csv;
    private final KeyCache keys = new KeyCache();
    private long time;

    /** Creates a reader. {@code source} is the name of the input in messages: a file name, or {@code stdin}. */
    public CsvRequestReader(String source, InputStream in) {
        this.source = source;
        this.csv = new CsvFieldReader(in);
    }

    /** Reads the header. */
    @Override
    public void begin() {
        try {
            header();
        } catch (InvalidTraceException e) {
            throw inLine(1, e);
        } catch (IOException e) {
            throw unreadable(e);
        }
    }

    @Override
    public @Nullable KeyRequest next() {
        long line = csv.line();
        try {
            return row();
        } catch (InvalidTraceException e) {
            throw inLine(line, e);
        } catch (IOException e) {
            throw unreadable(e);
        }
    }

    private InvalidTraceException inLine(long line, InvalidTraceException problem) {
        return new InvalidTraceException(source + ", line " + line + ": " + problem.getMessage());
    }

    private InvalidTraceException unreadable(IOException problem) {
        return new InvalidTraceException(source + ": cannot be read: " + problem.getMessage());
    }

    private void header() throws IOException {
        List<String> names = new ArrayList<>();
        End end = End.COMMA;
        while (end == End.COMMA && names.size() < 9) {
            end = csv.next();
            names.add(new String(csv.field(), 0, csv.length(), StandardCharsets.UTF_8));
        }
        String header = String.join(",", names);
        if (header.isEmpty()) {
            String what = end == End.INPUT ? "nothing" : "an empty line";
            throw new InvalidTraceException(what + " (expected: the header " + HEADER + ")");
        }
        if (!header.equals(HEADER) || names.size() != 3) {
            throw new InvalidTraceException(DisplayText.quoted(header) + " (expected: the header " + HEADER + ")");
        }
    }

    private @Nullable KeyRequest row() throws IOException {
        End end = csv.next();
        if (csv.isEmpty() && end != End.COMMA) {
            requireNoMore(end);
            return null;
        }
        requireComma(end, 1);
        long at = number("time_us");
        if (at < time) {
            throw new InvalidTraceException(
                    "time_us " + at + " is before " + time + " of the row above (expected: times that never decrease)");
        }
        time = at;
        requireComma(csv.next(), 2);
        TraceKey key = keys.get(csv.field(), csv.length());
        end = csv.next();
        long permits = number("permits");
        if (end == End.COMMA) {
            throw new InvalidTraceException("more than 3 fields (expected: " + HEADER + ")");
        }
        return new KeyRequest(at, key, permits);
    }

    private static void requireComma(End end, int fields) {
        if (end != End.COMMA) {
            throw new InvalidTraceException(
                    "only " + fields + (fields == 1 ? " field" : " fields") + " (expected: " + HEADER + ")");
        }
    }

    /** Empty lines are accepted only at the end. */
    private void requireNoMore(End end) throws IOException {
        while (end == End.LINE) {
            end = csv.next();
            if (!csv.isEmpty() || end == End.COMMA) {
                throw new InvalidTraceException("an empty line (expected: " + HEADER + ")");
            }
        }
    }

    private long number(String name) {
        byte[] digits = csv.field();
        int length = csv.length();
        long value = 0;
        for (int i = 0; i < length; i++) {
            int digit = digits[i] - '0';
            value = 10 * value + digit;
            if (digit < 0 || digit > 9 || value > MOST) {
                throw notNumber(name);
            }
        }
        if (length == 0) {
            throw notNumber(name);
        }
        return value;
    }

    private InvalidTraceException notNumber(String name) {
        String what = csv.length() == 0 ? "nothing" : DisplayText.quoted(csv.field(), csv.length());
        return new InvalidTraceException(name + " is " + what + " (expected: a whole number from 0 to " + MOST + ")");
    }
}
