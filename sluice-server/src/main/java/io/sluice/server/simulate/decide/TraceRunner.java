package io.sluice.server.simulate.decide;

/** Runs recorded requests through every {@link RequestDecider} at their recorded times, and passes them to the {@link DecisionSink} in order. */
public interface TraceRunner<R> extends AutoCloseable {
    /** Decides the next request. The decisions may be made later, in a batch. */
    void decide(R request);

    /** Waits until every request so far is decided and passed on. */
    void drain();

    /** Deletes all state. Requests that are not yet passed on are lost. */
    @Override
    void close();
}
