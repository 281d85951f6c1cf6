package io.sluice;

/** The algorithm of a {@link Limit}: how it counts. {@link #toString()} is its name in the text of a limit. */
public enum Algorithm {
    /** Tokens refill at a constant rate, up to a burst. A request takes tokens or is denied. */
    TOKEN_BUCKET("token-bucket"),
    /** A queue that drains at a constant rate. A request joins it and gets a delay, or is denied. */
    LEAKY_BUCKET("leaky-bucket"),
    /** A number of permits in each window of time. */
    FIXED_WINDOW("fixed-window"),
    /** A number of permits in any time span of a length. Each admitted request is stored. */
    SLIDING_LOG("sliding-log"),
    /** A number of permits in any time span of a length, estimated with a few counters. */
    SLIDING_COUNTER("sliding-counter"),
    /** A rate that is reached only step by step after a pause. */
    WARM_UP("warm-up"),
    /** A number of permits that may be held at any time. They are given back, not used up. */
    CONCURRENCY("concurrency"),
    /** As {@link #CONCURRENCY}, with a number that each key finds by its latency. */
    ADAPTIVE_CONCURRENCY("concurrency adaptive"),
    /** Every request is allowed. Needs no state. */
    UNLIMITED("unlimited"),
    /** Every request is denied. Needs no state. */
    BLOCKED("blocked");

    private final String text;

    Algorithm(String text) {
        this.text = text;
    }

    /**
     * Whether permits are held and given back, not used up: for limits of concurrency. Their permits are taken by {@link
     * RateLimiter#enter} only.
     */
    public boolean holds() {
        return this == CONCURRENCY || this == ADAPTIVE_CONCURRENCY;
    }

    /** The name in the text of a limit, such as {@code token-bucket}. */
    @Override
    public String toString() {
        return text;
    }
}
