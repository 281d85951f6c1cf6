package io.sluice.cli.simulate.decide;

import io.sluice.TimeSource;
import io.sluice.cli.simulate.trace.TimedRequest;
import io.sluice.spi.PolicyStore;
import java.util.List;
import java.util.function.BooleanSupplier;

/** What is tried on a trace: limits or files of policies, each of which decides every row by itself. */
public interface DeciderFactory<R extends TimedRequest, D> {
    /** How many stores they need so as not to meet. */
    int stores();

    /**
     * A judge for each.
     *
     * @param stores as many as they need
     * @param time by which the stores decide
     */
    List<RequestDecider<R, D>> on(List<? extends PolicyStore> stores, TimeSource time);

    /**
     * Whether rows that are asked about together could be decided in another order, so that they must be one at a time.
     *
     * @param cluster whether the stores are in a cluster
     */
    boolean mayOvertake(BooleanSupplier cluster);
}
