package io.sluice.cli;

import java.util.concurrent.CompletableFuture;

/** Decides rows: a limit does, or all policies of a file together. */
interface Judge<R, D> extends AutoCloseable {
    /** Decides at once, on a store that needs no connection. */
    D decide(R row);

    /** Decides in the order of the calls. */
    CompletableFuture<D> decideLater(R row);

    /** Whether the store could not be asked. */
    boolean isDegraded(D decision);

    @Override
    void close();
}
