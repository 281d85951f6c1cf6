package io.sluice;

import java.time.Duration;
import java.util.Objects;

/**
 * What is allowed: an algorithm, a rate and its options. A limit is a value: immutable, equal by content, and printed
 * by {@link Object#toString()} as the text that {@link #parse} reads back.
 *
 * <pre>{@code
 * Limit.parse("token-bucket 10/s burst 20")
 * Limit.tokenBucket(10, Duration.ofSeconds(1)).burst(20)
 * Limit.slidingLog(5, Duration.ofMinutes(1)).lockout(Duration.ofMinutes(5))
 * }</pre>
 *
 * <p>Every accepted limit is decided in exact integer arithmetic. What could not be is refused here, with an {@link
 * IllegalArgumentException} that names the largest value that would do.
 */
public sealed interface Limit
        permits TokenBucket, LeakyBucket, FixedWindow, SlidingLog, SlidingCounter, Lockout, Unlimited, Blocked {

    /** How this limit counts. */
    Algorithm algorithm();

    /**
     * The most permits that a request could ever be given at once: the burst, the capacity, or the permits of a window.
     */
    long capacity();

    /** The time in which {@link #capacity()} permits come back after all were taken, rounded up to a microsecond. */
    Duration refillTime();

    /**
     * This limit, and a denied key is locked out: everything is denied for the duration that starts with the denial.
     *
     * @throws IllegalArgumentException if this limit has a lockout already, or keeps no state
     */
    default Limit lockout(Duration duration) {
        return new Lockout(this, duration);
    }

    /**
     * Reads a limit such as {@code 600/min} or {@code sliding-log 5 per 1m lockout 5m}.
     *
     * @throws LimitSyntaxException if the text is not a limit, saying what is wrong, where, and what was expected
     */
    static Limit parse(String text) {
        return new LimitParser(Objects.requireNonNull(text, "text")).parse();
    }

    /** Permits grow continuously, {@code permits} in every {@code period}, up to a burst of as many. */
    static TokenBucket tokenBucket(long permits, Duration period) {
        return new TokenBucket(permits, period, permits, Refill.GREEDY);
    }

    /** A queue for {@code permits} that drains at {@code permits} in every {@code period}. */
    static LeakyBucket leakyBucket(long permits, Duration period) {
        return new LeakyBucket(permits, period, permits);
    }

    /** {@code permits} in each window, aligned to the Unix epoch. */
    static FixedWindow fixedWindow(long permits, Duration window) {
        return new FixedWindow(permits, window, false);
    }

    /** {@code permits} in any {@code window}, exactly. */
    static SlidingLog slidingLog(long permits, Duration window) {
        return new SlidingLog(permits, window);
    }

    /** {@code permits} in any {@code window}, estimated from 10 slots. */
    static SlidingCounter slidingCounter(long permits, Duration window) {
        return new SlidingCounter(permits, window, SlidingCounter.DEFAULT_SLOTS);
    }

    /** Always allows. */
    static Limit unlimited() {
        return new Unlimited();
    }

    /** Never allows. */
    static Limit blocked() {
        return new Blocked();
    }
}
