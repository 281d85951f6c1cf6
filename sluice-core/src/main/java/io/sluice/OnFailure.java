package io.sluice;

/** What a limiter does if a store outside this process does not answer in time. {@link Decision#degraded()} reports it. */
public enum OnFailure {
    /** Allow every request. */
    ALLOW,
    /** Deny every request. */
    DENY,
    /** Enforce a local share: the limit divided by the number of live processes, until the store is back. */
    LOCAL
}
