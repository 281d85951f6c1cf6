package io.sluice.benchmarks.local;

import java.time.Duration;

/** The limits that all libraries use. */
final class BenchmarkLimits {
    /** More permits per second than any benchmark uses, and the largest number that every library accepts. */
    static final int PLENTY = 1_000_000_000;

    /** More permits than any benchmark uses in a month. */
    static final long PLENTY_A_MONTH = 1L << 50;

    static final Duration SECOND = Duration.ofSeconds(1);

    /** The period of one permit, for cases in which calls are denied. */
    static final Duration DAY = Duration.ofDays(1);

    private BenchmarkLimits() {}
}
