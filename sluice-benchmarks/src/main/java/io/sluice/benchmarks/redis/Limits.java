package io.sluice.benchmarks.redis;

import java.time.Duration;

/** The limits that all libraries use. */
final class Limits {
    /** More permits than a run uses. */
    static final int PLENTY = 1_000_000_000;

    /** The period of that limit: so long that a used key never becomes fresh and always has a state. */
    static final Duration PLENTY_PERIOD = Duration.ofDays(365);

    /** The period of one permit, for cases in which calls are denied. */
    static final Duration SCARCE_PERIOD = Duration.ofDays(1);

    /**
     * Permits per second for an algorithm whose key is free again at once, or not free at all. So many that hardly a call is
     * denied.
     */
    static final int FAST = 100_000;

    /** More permits than the threads of a run hold at the same time. */
    static final int MANY_HELD = 1000;

    private Limits() {}
}
