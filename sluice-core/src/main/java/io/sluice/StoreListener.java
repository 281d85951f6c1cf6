package io.sluice;

import java.util.List;

/**
 * Hears what happens between a store and Redis: for metrics and logs. Called on the threads that do the work, so it must
 * be quick and must not block; what it throws is ignored.
 */
public interface StoreListener {
    /** One script call was answered. */
    default void called(int requests, long nanos) {}

    /** One script call failed, or was given up at its deadline. */
    default void failed(int requests, Throwable cause) {}

    /** A request was answered without Redis, as its limiter says. */
    default void degraded(String limiter, OnFailure how) {}

    /**
     * The first request after Redis had decided was answered without it: from now on, until {@link #degradedEnded},
     * requests may be.
     *
     * @param reason why, for people to read
     */
    default void degradedBegan(String reason) {}

    /** Redis decides again. */
    default void degradedEnded() {}

    /** A refund, penalty or reset did not reach Redis and is lost. */
    default void lost(String limiter, String verb) {}

    /** A request was denied from the memory of denials, without a call. */
    default void denialRemembered(String limiter) {}

    /** A limiter follows limits that differ from those that this process brought. */
    default void limitsDiffer(String limiter, List<Limit> brought, List<Limit> inForce) {}
}
