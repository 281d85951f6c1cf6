package io.sluice;

/** How a {@link TokenBucket} refills. */
public enum Refill {
    /** Continuously: a fraction of a permit in each microsecond. */
    GREEDY,
    /** All permits of a period at its end. The first period begins with the first use of a full bucket. */
    INTERVAL
}
