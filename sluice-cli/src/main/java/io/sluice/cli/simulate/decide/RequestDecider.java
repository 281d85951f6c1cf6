package io.sluice.cli.simulate.decide;

import java.util.concurrent.CompletableFuture;

/** Decides rows: a limit does, or all policies of a file together. */
public interface RequestDecider<R, D> extends AutoCloseable {
    /** Decides at once, on a store that needs no connection. */
    D decide(R row);

    /** Decides in the order of the calls. */
    CompletableFuture<D> decideLater(R row);

    /** Whether the store could not be asked. */
    boolean isDegraded(D decision);

    @Override
    void close();
}
