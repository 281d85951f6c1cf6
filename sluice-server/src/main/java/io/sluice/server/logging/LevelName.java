package io.sluice.server.logging;

import java.util.logging.Level;

/** The usual names of log levels: ERROR, WARN, INFO, DEBUG, TRACE. */
final class LevelName {
    private LevelName() {}

    static String of(Level level) {
        int value = level.intValue();
        if (value >= Level.SEVERE.intValue()) {
            return "ERROR";
        } else if (value >= Level.WARNING.intValue()) {
            return "WARN";
        } else if (value >= Level.INFO.intValue()) {
            return "INFO";
        }
        return value >= Level.FINE.intValue() ? "DEBUG" : "TRACE";
    }
}
