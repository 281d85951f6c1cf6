package io.sluice.benchmarks;

import java.time.Duration;

/** The same limits for everybody. */
final class Rates {
    /** More in a second than anybody can ask for, and the most that every library takes. */
    static final int PLENTY = 1_000_000_000;

    static final Duration SECOND = Duration.ofSeconds(1);

    /** One in this time, for those who are to be denied. */
    static final Duration DAY = Duration.ofDays(1);

    private Rates() {}
}
