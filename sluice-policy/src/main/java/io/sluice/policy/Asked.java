package io.sluice.policy;

import io.sluice.Charge;
import io.sluice.Decision;
import java.util.List;

/**
 * What is decided in one step, of which all is charged or nothing.
 *
 * @param <T> what is said to it
 */
interface Asked<T> {
    /** Whether a policy denies that nothing is counted for. */
    boolean isBlocked();

    /** The charges on what is counted in the shared store, or in this process's own, in order. */
    List<Charge> charges(boolean shared);

    /**
     * What all said.
     *
     * @param shared the decisions on {@code charges(true)}
     * @param ours the decisions on {@code charges(false)}
     */
    T decision(List<Decision> shared, List<Decision> ours);
}
