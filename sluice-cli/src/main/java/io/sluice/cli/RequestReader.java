package io.sluice.cli;

import java.io.IOException;
import java.io.InputStream;
import org.jspecify.annotations.Nullable;

/** Reads requests: one JSON object a line, with times that never fall. */
final class RequestReader implements Rows<Request> {
    private final String source;
    private final LineReader lines;
    private final RequestParser parser = new RequestParser();
    private long time;

    /** @param source what messages call the input: a file's name, or {@code stdin} */
    RequestReader(String source, InputStream in) {
        this.source = source;
        this.lines = new LineReader(in);
    }

    @Override
    public void begin() {}

    @Override
    public @Nullable Request next() {
        long line = lines.line() + 1;
        try {
            return lines.next() ? request() : null;
        } catch (RequestParser.Misfit e) {
            throw new Refusal(source + ", line " + line + ", column " + e.column() + ": " + e.getMessage());
        } catch (Refusal e) {
            throw new Refusal(source + ", line " + line + ": " + e.getMessage());
        } catch (IOException e) {
            throw new Refusal(source + ": cannot be read: " + e.getMessage());
        }
    }

    private @Nullable Request request() throws IOException, RequestParser.Misfit {
        if (isBlank()) {
            requireNoMore();
            return null;
        }
        Request request = parser.parse(lines.bytes(), lines.from(), lines.to());
        if (request.timeMicros() < time) {
            throw new Refusal("time_us " + request.timeMicros() + " is before " + time
                    + " of the line above (expected: times that never fall)");
        }
        time = request.timeMicros();
        return request;
    }

    private boolean isBlank() {
        for (int i = lines.from(); i < lines.to(); i++) {
            if (!RequestParser.isSpace(lines.bytes()[i])) {
                return false;
            }
        }
        return true;
    }

    /** An empty line is fine where nothing but empty lines follow. */
    private void requireNoMore() throws IOException {
        while (lines.next()) {
            if (!isBlank()) {
                throw new Refusal("an empty line (expected: " + RequestParser.EXPECTED + ")");
            }
        }
    }
}
