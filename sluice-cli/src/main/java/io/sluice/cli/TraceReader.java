package io.sluice.cli;

import io.sluice.cli.CsvReader.End;
import io.sluice.server.json.DisplayText;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Reads a trace: CSV with the header {@code time_us,key,permits} and times that never fall. */
final class TraceReader implements Rows<TraceRow> {
    static final String HEADER = "time_us,key,permits";

    private static final long MOST = (1L << 53) - 1;

    private final String source;
    private final CsvReader csv;
    private final KeyTable keys = new KeyTable();
    private long time;

    /** @param source what messages call the input: a file's name, or {@code stdin} */
    TraceReader(String source, InputStream in) {
        this.source = source;
        this.csv = new CsvReader(in);
    }

    /** Reads the header. */
    @Override
    public void begin() {
        try {
            header();
        } catch (Refusal e) {
            throw inLine(1, e);
        } catch (IOException e) {
            throw unreadable(e);
        }
    }

    @Override
    public @Nullable TraceRow next() {
        long line = csv.line();
        try {
            return row();
        } catch (Refusal e) {
            throw inLine(line, e);
        } catch (IOException e) {
            throw unreadable(e);
        }
    }

    private Refusal inLine(long line, Refusal problem) {
        return new Refusal(source + ", line " + line + ": " + problem.getMessage());
    }

    private Refusal unreadable(IOException problem) {
        return new Refusal(source + ": cannot be read: " + problem.getMessage());
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
            throw new Refusal(what + " (expected: the header " + HEADER + ")");
        }
        if (!header.equals(HEADER) || names.size() != 3) {
            throw new Refusal(DisplayText.quoted(header) + " (expected: the header " + HEADER + ")");
        }
    }

    private @Nullable TraceRow row() throws IOException {
        End end = csv.next();
        if (csv.isEmpty() && end != End.COMMA) {
            requireNoMore(end);
            return null;
        }
        requireComma(end, 1);
        long at = number("time_us");
        if (at < time) {
            throw new Refusal(
                    "time_us " + at + " is before " + time + " of the row above (expected: times that never fall)");
        }
        time = at;
        requireComma(csv.next(), 2);
        TraceKey key = keys.get(csv.field(), csv.length());
        end = csv.next();
        long permits = number("permits");
        if (end == End.COMMA) {
            throw new Refusal("more than 3 fields (expected: " + HEADER + ")");
        }
        return new TraceRow(at, key, permits);
    }

    private static void requireComma(End end, int fields) {
        if (end != End.COMMA) {
            throw new Refusal("only " + fields + (fields == 1 ? " field" : " fields") + " (expected: " + HEADER + ")");
        }
    }

    /** An empty line is fine where nothing but empty lines follow. */
    private void requireNoMore(End end) throws IOException {
        while (end == End.LINE) {
            end = csv.next();
            if (!csv.isEmpty() || end == End.COMMA) {
                throw new Refusal("an empty line (expected: " + HEADER + ")");
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

    private Refusal notNumber(String name) {
        String what = csv.length() == 0 ? "nothing" : DisplayText.quoted(csv.field(), csv.length());
        return new Refusal(name + " is " + what + " (expected: a whole number from 0 to " + MOST + ")");
    }
}
