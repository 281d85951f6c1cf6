package io.sluice.server.simulate.decide;

import java.util.concurrent.CompletableFuture;

/** Decides recorded requests: by one limit, or by all policies of one file. */
public interface RequestDecider<R, D> extends AutoCloseable {
    /** Decides at once, on a memory store. */
    D decide(R request);

    /** Decides in the order of the calls, without waiting. */
    CompletableFuture<D> decideAsync(R request);

    /** Whether the decision was made without the store. */
    boolean isDegraded(D decision);

    @Override
    void close();
}
