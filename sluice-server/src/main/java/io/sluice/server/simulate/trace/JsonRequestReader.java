package io.sluice.server.simulate.trace;

import io.sluice.server.json.CheckJson;
import io.sluice.server.json.JsonInputException;
import io.sluice.server.json.TimedCheckRequest;
import io.sluice.server.json.Utf8;
import java.io.IOException;
import java.io.InputStream;
import org.jspecify.annotations.Nullable;

/** Reads requests from JSON, one object per line. */
public final class JsonRequestReader implements RequestReader<PolicyRequest> {
    private final String source;
    private final LineReader lines;
    private final CheckJson json = CheckJson.unbounded();
    private long time;

    /** Creates a reader. {@code source} is the name of the input in messages: a file name, or {@code stdin}. */
    public JsonRequestReader(String source, InputStream in) {
        this.source = source;
        this.lines = new LineReader(in);
    }

    @Override
    public void begin() {}

    @Override
    public @Nullable PolicyRequest next() {
        long line = lines.line() + 1;
        try {
            return lines.next() ? request() : null;
        } catch (JsonInputException e) {
            int column = Utf8.characters(lines.bytes(), lines.from(), e.offset()) + 1;
            throw new InvalidTraceException(source + ", line " + line + ", column " + column + ": " + e.getMessage());
        } catch (InvalidTraceException e) {
            throw new InvalidTraceException(source + ", line " + line + ": " + e.getMessage());
        } catch (IOException e) {
            throw new InvalidTraceException(source + ": cannot be read: " + e.getMessage());
        }
    }

    private @Nullable PolicyRequest request() throws IOException, JsonInputException {
        if (isBlank()) {
            requireNoMore();
            return null;
        }
        TimedCheckRequest timed = json.timed(lines.bytes(), lines.from(), lines.to());
        if (timed.timeMicros() < time) {
            throw new InvalidTraceException("time_us " + timed.timeMicros() + " is before " + time
                    + " of the line above (expected: times that never decrease)");
        }
        time = timed.timeMicros();
        return new PolicyRequest(time, timed.check().attributes(), timed.check().permits(), timed.signals());
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

    /** Empty lines are accepted only at the end. */
    private void requireNoMore() throws IOException {
        while (lines.next()) {
            if (!isBlank()) {
                throw new InvalidTraceException("an empty line (expected: " + CheckJson.TIMED + ")");
            }
        }
    }
}
