package io.sluice.server;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import java.util.logging.SimpleFormatter;

/** Captures the log of the server while it is open. */
public final class CapturedServerLog extends Handler implements AutoCloseable {
    private final Logger logger = Logger.getLogger("io.sluice.server");
    private final List<LogRecord> records = new CopyOnWriteArrayList<>();

    public CapturedServerLog() {
        logger.addHandler(this);
    }

    public List<String> lines() {
        return records.stream().map(new SimpleFormatter()::formatMessage).toList();
    }

    public List<String> warnings() {
        return records.stream()
                .filter(line -> line.getLevel().equals(Level.WARNING))
                .map(new SimpleFormatter()::formatMessage)
                .toList();
    }

    @Override
    public void publish(LogRecord line) {
        records.add(line);
    }

    @Override
    public void flush() {}

    @Override
    public void close() {
        logger.removeHandler(this);
    }
}
