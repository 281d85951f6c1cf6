package io.sluice.spring;

/**
 * The cost of one HTTP request, which grows while the request is answered. It is charged once, when the response is done, whether it
 * is complete, failed, was cancelled or timed out. It may be used on any thread. Thread-safe.
 */
public interface RequestCost {
    /**
     * Adds to the cost. After the response is done, it is charged at once.
     *
     * @param permits at least 0
     */
    void add(long permits);

    /** What was added so far. */
    long total();
}
