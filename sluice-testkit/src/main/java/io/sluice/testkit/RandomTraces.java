package io.sluice.testkit;

import java.util.List;

/** Runs random traces of every kind of limit, until enough decisions were compared with the model. */
final class RandomTraces {
    private RandomTraces() {}

    /** A trace is made by its seed and the kind of its limit. */
    @FunctionalInterface
    interface Trace {
        /** Returns how many decisions it has compared. */
        int run(long seed, String kind);
    }

    /** Compares at least that many decisions. Each kind has the same number of traces, and at least one. */
    static void compare(int least, Trace trace) {
        compare(least, RandomLimits.KINDS, trace);
    }

    /** The same, for some kinds. */
    static void compare(int least, List<String> kinds, Trace trace) {
        int decisions = 0;
        for (long seed = 0; seed == 0 || decisions < least; seed++) {
            for (String kind : kinds) {
                decisions += trace.run(seed, kind);
            }
        }
    }
}
