package io.sluice.cli;

import io.sluice.server.json.CheckJson;
import io.sluice.server.json.JsonInputException;
import io.sluice.server.json.TimedCheckRequest;
import io.sluice.server.json.Utf8;
import java.io.IOException;
import java.io.InputStream;
import org.jspecify.annotations.Nullable;

/** Reads requests: one JSON object a line, with times that never fall. */
final class RequestReader implements Rows<Request> {
    private final String source;
    private final LineReader lines;
    private final CheckJson json = CheckJson.unbounded();
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
        } catch (JsonInputException e) {
            int column = Utf8.characters(lines.bytes(), lines.from(), e.offset()) + 1;
            throw new Refusal(source + ", line " + line + ", column " + column + ": " + e.getMessage());
        } catch (Refusal e) {
            throw new Refusal(source + ", line " + line + ": " + e.getMessage());
        } catch (IOException e) {
            throw new Refusal(source + ": cannot be read: " + e.getMessage());
        }
    }

    private @Nullable Request request() throws IOException, JsonInputException {
        if (isBlank()) {
            requireNoMore();
            return null;
        }
        TimedCheckRequest timed = json.timed(lines.bytes(), lines.from(), lines.to());
        if (timed.timeMicros() < time) {
            throw new Refusal("time_us " + timed.timeMicros() + " is before " + time
                    + " of the line above (expected: times that never fall)");
        }
        time = timed.timeMicros();
        return new Request(time, timed.check().attributes(), timed.check().permits());
    }

    private boolean isBlank() {
        for (int i = lines.from(); i < lines.to(); i++) {
            byte b = lines.bytes()[i];
            if (b != ' ' && b != '\t') {
                return false;
            }
        }
        return true;
    }

    /** An empty line is fine where nothing but empty lines follow. */
    private void requireNoMore() throws IOException {
        while (lines.next()) {
            if (!isBlank()) {
                throw new Refusal("an empty line (expected: " + CheckJson.TIMED + ")");
            }
        }
    }
}
