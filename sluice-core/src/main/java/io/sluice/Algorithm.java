package io.sluice;

/** How a {@link Limit} counts. The name in text, as in {@code token-bucket}, is {@link #toString()}. */
public enum Algorithm {
    /** Permits grow at a constant rate up to a burst; a request takes some or is denied. */
    TOKEN_BUCKET("token-bucket"),
    /** A queue that drains at a constant rate; a request joins it and is told how long to wait, or is denied. */
    LEAKY_BUCKET("leaky-bucket"),
    /** So many permits in each window of time. */
    FIXED_WINDOW("fixed-window"),
    /** So many permits in any window of time, by remembering each admission. */
    SLIDING_LOG("sliding-log"),
    /** So many permits in any window of time, estimated from a few counters. */
    SLIDING_COUNTER("sliding-counter"),
    /** Always allowed; keeps no state. */
    UNLIMITED("unlimited"),
    /** Never allowed; keeps no state. */
    BLOCKED("blocked");

    private final String text;

    Algorithm(String text) {
        this.text = text;
    }

    /** The name as it stands in a limit's text. */
    @Override
    public String toString() {
        return text;
    }
}
