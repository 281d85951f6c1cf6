package io.sluice;

/** What a limiter does when Redis does not answer in time. Whatever it does, {@code Decision.degraded()} says so. */
public enum OnFailure {
    /** Everything is allowed. */
    ALLOW,
    /** Everything is denied. */
    DENY,
    /** This process enforces its share by itself, the limit divided by the live processes, until Redis is back. */
    LOCAL
}
