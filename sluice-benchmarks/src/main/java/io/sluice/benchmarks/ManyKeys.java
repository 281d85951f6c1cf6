package io.sluice.benchmarks;

/** One limit for every key: enough that none is denied, and so slow to refill that none becomes fresh and goes. */
final class ManyKeys {
    static final long PERMITS = 1000;
    static final long BURST = 1_000_000;

    /** How many keys may be kept; twice as many as there are. */
    static final long MAX = 2_000_000;

    private ManyKeys() {}
}
