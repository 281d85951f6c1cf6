package io.sluice.policy;

import java.util.logging.Level;
import java.util.logging.Logger;

/** Keeps the log short where policies are replaced thousands of times. */
final class QuietLog {
    /** Kept, or it would forget its level. */
    private static final Logger LOG = Logger.getLogger("io.sluice.policy");

    private QuietLog() {}

    static void please() {
        LOG.setLevel(Level.WARNING);
    }
}
