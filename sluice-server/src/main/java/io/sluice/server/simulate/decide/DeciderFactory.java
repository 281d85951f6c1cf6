package io.sluice.server.simulate.decide;

import io.sluice.server.simulate.trace.TimedRequest;
import io.sluice.spi.PolicyStore;
import java.util.List;
import java.util.function.BooleanSupplier;

/** Creates the deciders of a simulation: one for each limit or policy file. Each decides every request independently. */
public interface DeciderFactory<R extends TimedRequest, D> {
    /** The number of stores that the deciders need, so that they share no state. */
    int stores();

    /**
     * Creates the deciders.
     *
     * @param stores as many as {@link #stores()} says
     * @param time the time of the stores
     */
    List<RequestDecider<R, D>> create(List<? extends PolicyStore> stores, TraceTime time);

    /**
     * Whether the store could reorder requests that are in flight together, so that each must wait for the one before.
     *
     * @param cluster whether the stores are in a Redis Cluster
     */
    boolean mayReorder(BooleanSupplier cluster);
}
