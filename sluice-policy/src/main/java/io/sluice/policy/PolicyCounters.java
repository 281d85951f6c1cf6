package io.sluice.policy;

import java.util.concurrent.atomic.LongAdder;

/** How often a policy, or all of them together, said what. */
final class PolicyCounters {
    final LongAdder allowed = new LongAdder();
    final LongAdder denied = new LongAdder();
    final LongAdder shadowDenied = new LongAdder();

    /** Said without the store; not among the others. */
    final LongAdder degradedAllowed = new LongAdder();

    final LongAdder degradedDenied = new LongAdder();
}
