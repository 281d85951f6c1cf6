package io.sluice.spi;

import io.sluice.Permit;

/** A permit that can be undone, for a caller who has left before it got it. Stores implement it. */
public interface EnteredPermit extends Permit {
    /** Gives back everything that was taken with it, the permits of rates too. Never blocks. Does nothing after {@link #close}. */
    void undo();
}
