package io.sluice.memory.state;

import java.io.IOException;

/** Supplies the numbers that a {@link StateOutput} received, in the same order. Snapshots implement it. */
public interface StateInput {
    /**
     * Reads a number from 0 to a maximum.
     *
     * @param name what the number means, for the error message
     * @throws IOException if there is no such number
     */
    long number(String name, long max) throws IOException;

    /**
     * Reads a number whose absolute value is at most a maximum.
     *
     * @param name what the number means, for the error message
     * @throws IOException if there is no such number
     */
    long signed(String name, long max) throws IOException;

    /** The version of the format. Pauses came with version 2, escalation with version 3. */
    int version();
}
