package io.sluice.benchmarks.redis;

import java.time.Duration;

/** The same limits for everybody. */
final class Limits {
    /** More than is asked for in a run. */
    static final int PLENTY = 1_000_000_000;

    /** The time in which that comes back: so slowly that a key in use is never fresh again, and always has a state. */
    static final Duration PLENTY_PERIOD = Duration.ofDays(365);

    /** One in this time, for those who are to be denied. */
    static final Duration SCARCE_PERIOD = Duration.ofDays(1);

    private Limits() {}
}
