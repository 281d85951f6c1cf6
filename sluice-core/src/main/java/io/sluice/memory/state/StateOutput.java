package io.sluice.memory.state;

/** Receives the numbers that make up the state of a key. Snapshots implement it. */
public interface StateOutput {
    /** Writes a number that is not negative. */
    void number(long number);

    /** Writes any number. */
    void signed(long number);
}
