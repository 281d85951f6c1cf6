package io.sluice.server;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;

/** What is audited while it is open. */
final class AuditLog extends Handler implements AutoCloseable {
    private final Logger logger = Logger.getLogger("io.sluice.audit");
    final List<String> lines = new CopyOnWriteArrayList<>();

    AuditLog() {
        logger.addHandler(this);
    }

    @Override
    public void publish(LogRecord line) {
        lines.add(line.getMessage());
    }

    @Override
    public void flush() {}

    @Override
    public void close() {
        logger.removeHandler(this);
    }
}
