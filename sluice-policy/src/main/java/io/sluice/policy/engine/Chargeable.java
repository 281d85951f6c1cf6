package io.sluice.policy.engine;

import io.sluice.Charge;
import io.sluice.Decision;
import java.util.List;

/**
 * One or several requests that are decided in one step: all charges are taken, or none.
 *
 * @param <T> the type of the decision
 */
interface Chargeable<T> {
    /** Whether a {@code blocked} limit denies. Such a limit counts nothing, so it has no charge. */
    boolean isBlocked();

    /** The charges on the shared store, or those on the memory store of this process, in order. */
    List<Charge> charges(boolean shared);

    /**
     * Combines the decisions of the stores.
     *
     * @param shared the decisions on {@code charges(true)}
     * @param own the decisions on {@code charges(false)}
     */
    T decision(List<Decision> shared, List<Decision> own);
}
