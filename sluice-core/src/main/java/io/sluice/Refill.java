package io.sluice;

/** How the permits of a {@link TokenBucket} come back. */
public enum Refill {
    /** Continuously, as a part of a permit with every microsecond. */
    GREEDY,
    /** All permits of a period at once, at its end; the first period starts with the first use of a full bucket. */
    INTERVAL
}
