package io.sluice;

import java.time.Duration;
import java.time.ZoneId;
import java.util.Objects;

/**
 * A rule such as {@code 600/min burst 100}: an algorithm, a rate and options. A limit is an immutable value. Limits with the
 * same content are equal. {@link Object#toString()} returns the text that {@link #parse} reads.
 *
 * <pre>{@code
 * Limit.parse("token-bucket 10/s burst 20")
 * Limit.tokenBucket(10, Duration.ofSeconds(1)).burst(20)
 * Limit.slidingLog(5, Duration.ofMinutes(1)).lockout(Duration.ofMinutes(5)).escalate(3)
 * Limit.calendarWindow(10_000, CalendarPeriod.MONTH, ZoneId.of("Asia/Shanghai"))
 * Limit.concurrency(64).hold(Duration.ofSeconds(30))
 * }</pre>
 *
 * <p>All decisions use exact integer arithmetic. A limit whose numbers are too large for that is refused with an {@link
 * IllegalArgumentException}, which names the largest possible value.
 */
public sealed interface Limit
        permits TokenBucket,
                LeakyBucket,
                FixedWindow,
                CalendarWindow,
                SlidingLog,
                SlidingCounter,
                WarmUp,
                Concurrency,
                AdaptiveConcurrency,
                Lockout,
                Unlimited,
                Blocked {

    /** The algorithm of this limit. */
    Algorithm algorithm();

    /**
     * The most permits that one request can ever get: the burst, the capacity, or the permits of a window.
     */
    long capacity();

    /** The time until all {@link #capacity()} permits are free again after all were taken, rounded up to a microsecond. */
    Duration refillTime();

    /**
     * This limit with a lockout: a denial locks the key out. All its requests are denied for the duration, which begins with the
     * denial.
     *
     * @throws IllegalArgumentException if this limit already has a lockout, is {@code unlimited} or {@code blocked}, or
     *     limits concurrency
     */
    default Lockout lockout(Duration duration) {
        return new Lockout(this, duration, 0);
    }

    /**
     * Reads a limit such as {@code 600/min} or {@code sliding-log 5 per 1m lockout 5m}.
     *
     * @throws LimitSyntaxException if the text is not a limit. It says what is wrong, where, and what was expected.
     */
    static Limit parse(String text) {
        return new LimitParser(Objects.requireNonNull(text, "text")).parse();
    }

    /** A token bucket that refills continuously, {@code permits} in each {@code period}, with a burst of {@code permits}. */
    static TokenBucket tokenBucket(long permits, Duration period) {
        return new TokenBucket(permits, period, permits, Refill.GREEDY);
    }

    /** A leaky bucket that drains {@code permits} in each {@code period}, with a capacity of {@code permits}. */
    static LeakyBucket leakyBucket(long permits, Duration period) {
        return new LeakyBucket(permits, period, permits);
    }

    /** A fixed window: {@code permits} in each window. Windows are aligned to the Unix epoch. */
    static FixedWindow fixedWindow(long permits, Duration window) {
        return new FixedWindow(permits, window, false);
    }

    /** A fixed window: {@code permits} in each local day, week, month or year of a zone. */
    static CalendarWindow calendarWindow(long permits, CalendarPeriod calendar, ZoneId zone) {
        return new CalendarWindow(permits, calendar, zone);
    }

    /** A rate of {@code permits} in each {@code period} that is reached only step by step after a pause, over a time. */
    static WarmUp warmUp(long permits, Duration period, Duration over) {
        return new WarmUp(permits, period, over);
    }

    /** A sliding log: {@code permits} in any time span of that length, exactly. */
    static SlidingLog slidingLog(long permits, Duration window) {
        return new SlidingLog(permits, window);
    }

    /** A sliding counter: {@code permits} in any time span of that length, estimated with 10 slots. */
    static SlidingCounter slidingCounter(long permits, Duration window) {
        return new SlidingCounter(permits, window, SlidingCounter.DEFAULT_SLOTS);
    }

    /** A limit on what is in flight: at most {@code permits} are held at any time. See {@link RateLimiter#enter}. */
    static Concurrency concurrency(long permits) {
        return new Concurrency(permits, Concurrency.DEFAULT_HOLD);
    }

    /** A limit on what is in flight whose number follows the latency, from 20, between 1 and 1,000. In memory only. */
    static AdaptiveConcurrency adaptiveConcurrency() {
        return AdaptiveConcurrency.DEFAULT;
    }

    /** A limit that allows every request. */
    static Limit unlimited() {
        return new Unlimited();
    }

    /** A limit that denies every request. */
    static Limit blocked() {
        return new Blocked();
    }
}
