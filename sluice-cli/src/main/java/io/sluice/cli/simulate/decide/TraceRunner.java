package io.sluice.cli.simulate.decide;

/** Has rows decided by every {@link RequestDecider}, at the times they say. They go to the {@link DecisionSink} in order. */
public interface TraceRunner<R> extends AutoCloseable {
    /** Takes the next row. Its decisions may be made later, when there are more to make. */
    void decide(R row);

    /** Returns when every row so far is decided and handed on. */
    void settle();

    /** Forgets all state. RequestReader that are not settled are lost. */
    @Override
    void close();
}
