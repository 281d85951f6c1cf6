package io.sluice.policy;

import java.util.logging.Level;
import java.util.logging.Logger;

/** Keeps the log short where policies are replaced thousands of times. */
final class QuietLog {
    /** A strong reference: without it, the logger would be collected and lose its level. */
    private static final Logger LOG = Logger.getLogger("io.sluice.policy");

    private QuietLog() {}

    static void warningsOnly() {
        LOG.setLevel(Level.WARNING);
    }
}
