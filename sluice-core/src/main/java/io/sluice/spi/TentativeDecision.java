package io.sluice.spi;

import io.sluice.Decisions;

/**
 * Charges that were decided and taken, but may still be given back: for a request on which somebody else has the last word.
 * Thread-safe. Only the first call of {@link #commit} or {@link #cancel} has an effect.
 */
public interface TentativeDecision {
    /** How the charges were decided. */
    Decisions decisions();

    /** Keeps what was taken. */
    void commit();

    /** Gives back exactly what is still unused. */
    void cancel();
}
