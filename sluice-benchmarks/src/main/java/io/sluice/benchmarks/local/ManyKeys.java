package io.sluice.benchmarks.local;

/** The limit of every key: large enough that no call is denied, and so slow that no key becomes fresh and is dropped. */
final class ManyKeys {
    static final long PERMITS = 1000;
    static final long BURST = 1_000_000;

    /** The maximum number of keys: twice as many as there are. */
    static final long MAX = 2_000_000;

    private ManyKeys() {}
}
