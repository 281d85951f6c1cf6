package io.sluice.redis;

import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import java.util.logging.SimpleFormatter;

/** Collects the log lines of the store, each as level and message. */
public final class LogLines implements AutoCloseable {
    private final Logger log = Logger.getLogger("io.sluice.redis");
    private final Queue<String> lines = new ConcurrentLinkedQueue<>();
    private final Handler handler = new Handler() {
        @Override
        public void publish(LogRecord line) {
            lines.add(line.getLevel() + ": " + new SimpleFormatter().formatMessage(line));
        }

        @Override
        public void flush() {}

        @Override
        public void close() {}
    };

    public LogLines() {
        log.addHandler(handler);
    }

    public List<String> all() {
        return List.copyOf(lines);
    }

    /** The lines that contain a text. */
    public List<String> with(String text) {
        return lines.stream().filter(line -> line.contains(text)).toList();
    }

    @Override
    public void close() {
        log.removeHandler(handler);
    }
}
