package io.sluice.server;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;

/** Captures the audit log while it is open. */
final class CapturedAuditLog extends Handler implements AutoCloseable {
    private final Logger logger = Logger.getLogger("io.sluice.audit");
    final List<String> lines = new CopyOnWriteArrayList<>();

    CapturedAuditLog() {
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
