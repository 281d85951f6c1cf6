package io.sluice.server.logging;

import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.logging.Handler;
import java.util.logging.LogRecord;

/** Writes each event to a stream with one call, so that events of several threads do not mix. */
final class LineHandler extends Handler {
    private final PrintStream out;

    LineHandler(PrintStream out) {
        this.out = out;
    }

    @Override
    public void publish(LogRecord event) {
        if (isLoggable(event)) {
            byte[] bytes = getFormatter().format(event).getBytes(StandardCharsets.UTF_8);
            out.write(bytes, 0, bytes.length);
        }
    }

    @Override
    public void flush() {
        out.flush();
    }

    /** The stream belongs to the process. */
    @Override
    public void close() {
        flush();
    }
}
