package io.sluice.server.logging;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import java.util.logging.SimpleFormatter;

/** Captures the lines of a logger while it is open. */
final class CapturedLog extends Handler implements AutoCloseable {
    final List<LogRecord> events = new CopyOnWriteArrayList<>();
    private final Logger logger;

    CapturedLog(String logger) {
        this.logger = Logger.getLogger(logger);
        this.logger.setUseParentHandlers(false);
        this.logger.addHandler(this);
    }

    List<String> texts() {
        return events.stream().map(new SimpleFormatter()::formatMessage).toList();
    }

    @Override
    public void publish(LogRecord event) {
        events.add(event);
    }

    @Override
    public void flush() {}

    @Override
    public void close() {
        logger.removeHandler(this);
        logger.setUseParentHandlers(true);
    }
}
