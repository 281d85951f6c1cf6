package io.sluice.spring.method;

import io.sluice.policy.PolicyEngine;
import io.sluice.spring.NamedPolicies;

/** Decides the calls of a method. Thread-safe. */
interface Rule {
    /** All singletons exist. */
    default void start(PolicyEngine engine, NamedPolicies named) {}

    /**
     * Decides a call. May block for a round trip to the store, but not for permits.
     *
     * @return not complete as long as the call has to wait for permits; cancelling it gives them back
     */
    AdmissionFuture admit(Call call);

    /** {@link #admit} without blocking. */
    AdmissionFuture admitAsync(Call call);
}
