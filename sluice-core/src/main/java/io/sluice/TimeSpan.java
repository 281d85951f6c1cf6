package io.sluice;

/**
 * A span of time, in microseconds since the Unix epoch.
 *
 * @param begin the first microsecond
 * @param end the first microsecond after it
 */
public record TimeSpan(long begin, long end) {
    /** Whether a time lies in it. */
    public boolean contains(long micros) {
        return begin <= micros && micros < end;
    }

    /** Its length in microseconds. */
    public long length() {
        return end - begin;
    }
}
