package io.sluice.cli;

/** Has rows decided by every {@link Judge}, at the times they say. They go to the {@link Results} in order. */
interface Decider<R> extends AutoCloseable {
    /** Takes the next row. Its decisions may be made later, when there are more to make. */
    void decide(R row);

    /** Returns when every row so far is decided and handed on. */
    void settle();

    /** Forgets all state. Rows that are not settled are lost. */
    @Override
    void close();
}
