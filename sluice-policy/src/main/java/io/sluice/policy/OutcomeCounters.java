package io.sluice.policy;

/**
 * The running counters of one policy, or of all requests, for metrics. Each decision is in exactly one of {@link #allowed},
 * {@link #denied}, {@link #shadowDenied} and {@link #degraded}. In {@link Counts} it is different: there, degraded
 * decisions are also among the others. The counters never go back. Thread-safe.
 */
public interface OutcomeCounters {
    /** The decisions of the store that allowed. */
    long allowed();

    /** The decisions of the store that denied. */
    long denied();

    /** The decisions of the store that a policy in {@link Mode#SHADOW} would have denied. */
    long shadowDenied();

    /** The decisions without the store, whatever they were. */
    long degraded();

    /**
     * The permits that requests took, and those that were charged by force. A request that another policy denied took none,
     * unless this policy {@linkplain Charging#ALWAYS always} charges. Permits that were taken without the store, or given back
     * later, do not change this number. Always 0 in the counters of all requests.
     */
    long permits();

    /** The permits that were charged beyond the limit: by policies that {@linkplain Charging#ALWAYS always} charge, and by force. */
    long debt();

    /**
     * The requests to which the policy did not apply, because it limits concurrency and they took permits without {@linkplain
     * PolicyEngine#enter entering}: they could not give back. Always 0 in the counters of all requests.
     */
    long skipped();

    /** The keys that were evicted because the memory of this process was full. */
    long evicted();
}
