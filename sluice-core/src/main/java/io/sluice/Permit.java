package io.sluice;

import java.util.concurrent.CompletionStage;

/**
 * A permit that is held until it is closed. {@link RateLimiter#enter} and its siblings return it. Thread-safe.
 *
 * <pre>{@code
 * try (Permit permit = limiter.enter("reports")) {
 *     createReport();
 * }
 * }</pre>
 *
 * <p>It is renewed in the background while it is open and in use: while the program refers to it. If the process dies, or loses
 * the permit without closing it, the permit lapses, and others may take it.
 *
 * <p>A limiter without a limit of {@linkplain Concurrency concurrency} returns permits too. Closing such a permit gives nothing
 * back.
 */
public interface Permit extends AutoCloseable {
    /** The key for which it is held. */
    String key();

    /** The decision by which it was given. */
    Decision decision();

    /**
     * Whether it is still held, as far as this process knows. False after {@link #close}, and after it lapsed, for example because
     * the process stood still for longer than the limit's {@linkplain Concurrency#hold() hold}, or because the key was reset.
     */
    boolean isHeld();

    /**
     * Gives the permit back. Only the first call has an effect. It never throws because the store does not answer: then the permit
     * lapses.
     */
    @Override
    void close();

    /**
     * {@link #close} of a request that was dropped because of overload: it timed out, or was refused further down. A limit of
     * {@linkplain AdaptiveConcurrency adaptive concurrency} learns nothing from its latency, and falls if there are many. For other
     * limits it is the same as {@link #close}.
     */
    default void drop() {
        close();
    }

    /** {@link #close} without blocking. Completes when the store has answered, or without its answer. */
    CompletionStage<Void> closeAsync();
}
