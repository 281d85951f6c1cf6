package io.sluice.http;

import io.sluice.CalendarWindow;
import io.sluice.Limit;
import io.sluice.Lockout;
import io.sluice.TimeSpan;
import io.sluice.exact.Exact;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * What the items of a policy have in common in all responses, as text.
 *
 * @param limit the limit of which it is the text
 * @param name the item of {@code RateLimit} without its parameters: the name of the policy
 * @param policy the whole item of {@code RateLimit-Policy}: the name, {@code q} and {@code w}
 * @param window the window of the calendar whose length is {@code w}; null for other limits, whose {@code w} never changes
 */
record ItemText(
        Limit limit, String name, String policy, @Nullable TimeSpan window) {
    /** Numbers in a structured field have at most 15 digits. */
    static final long MAX_NUMBER = 999_999_999_999_999L;

    /** Writes the text that holds at a time, in microseconds since the epoch. */
    static ItemText of(String policy, Limit limit, long micros) {
        Limit rule = limit instanceof Lockout lockout ? lockout.limit() : limit;
        TimeSpan window = rule instanceof CalendarWindow calendar ? calendar.windowAt(micros) : null;
        StringBuilder out = new StringBuilder();
        StructuredText.append(out, policy);
        String name = out.toString();
        Duration refill = window == null ? limit.refillTime() : Exact.duration(window.length());
        out.append(";q=").append(quota(limit)).append(";w=").append(seconds(refill));
        return new ItemText(limit, name, out.toString(), window);
    }

    /** Whether it is the text of this limit at that time. */
    boolean isFor(Limit other, long micros) {
        return limit.equals(other) && (window == null || window.contains(micros));
    }

    /** The value of {@code q}. */
    static long quota(Limit limit) {
        return Math.min(MAX_NUMBER, limit.capacity());
    }

    private static long seconds(Duration refill) {
        return Math.min(MAX_NUMBER, Math.max(1, refill.getSeconds() + (refill.getNano() > 0 ? 1 : 0)));
    }
}
