package io.sluice.policy;

import java.util.List;

/**
 * The most frequent keys of this process over the last one to two minutes: the current minute and the one before. They
 * are counted in a fixed amount of memory, so the counts are bounds, see {@link TopKey}. A key of more than one in
 * 1,000 requests is never missing.
 *
 * <p>Above 100,000 decisions in a minute, the counts are estimates: one of eight requests is counted, chosen at random,
 * and counts for eight. The standard deviation of a count is the square root of seven times the count, 2.6 % of 10,000.
 *
 * <p>Thread-safe. Counting never makes a decision wait; {@link #error()} includes the requests that were skipped for
 * that.
 */
public interface TopKeys {
    /** The keys with the most requests, the most frequent first; at most {@code n}. */
    List<TopKey> busiest(int n);

    /** The keys with the most denied requests, the most frequent first; at most {@code n}. */
    List<TopKey> denied(int n);

    /**
     * The maximum error of any count, also of a key that is not listed (its count is 0). It is a thousandth of the
     * requests, plus the requests that were not counted because other threads were counting, or because their keys had
     * the same hash code as many others.
     */
    long error();
}
