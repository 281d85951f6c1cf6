package io.sluice;

import java.util.List;

/**
 * Listens to the events of a store outside this process, for metrics and logs. The store calls it on its own threads. So an
 * implementation must be fast and must not block. Its exceptions are ignored.
 */
public interface StoreListener {
    /**
     * The store has answered one call.
     *
     * @param requests how many requests were batched in the call
     * @param nanos how long the call took
     */
    default void called(int requests, long nanos) {}

    /**
     * A call to the store has failed, or reached its deadline.
     *
     * @param requests how many requests were batched in the call
     */
    default void failed(int requests, Throwable cause) {}

    /** A request was answered without the store, as the options of its limiter say. */
    default void degraded(String limiter, OnFailure how) {}

    /**
     * The store has stopped answering: requests may be answered without it until {@link #degradedEnded}. Called for the first
     * such request.
     *
     * @param reason the cause, as a text for people
     */
    default void degradedBegan(String reason) {}

    /** The store answers again. */
    default void degradedEnded() {}

    /** A refund, penalty or reset did not reach the store and is lost. */
    default void lost(String limiter, String verb) {}

    /** A request was denied without a call, because this process remembers a recent denial. */
    default void denialRemembered(String limiter) {}

    /** The limits in force for a limiter differ from those that this process has requested. */
    default void limitsDiffer(String limiter, List<Limit> requested, List<Limit> inForce) {}
}
