package io.sluice.spi;

import io.sluice.Decisions;
import java.time.Duration;

/**
 * Charges that were decided and taken, but may still be given back: for a request that another store must allow too. Only the
 * first call of {@link #commit}, {@link #keep}, {@link #cancel} or {@link #deny} has an effect. Thread-safe.
 */
public interface TentativeDecision {
    /** The decisions on the charges. */
    Decisions decisions();

    /** The decisions, and what is held if the charges {@linkplain PolicyStore#enterAsync enter}. */
    EnteredCharges entered();

    /** Makes the charges final. */
    void commit();

    /**
     * Makes the charges final, but remembers them, so that they can be {@linkplain PolicyStore#settleAsync settled}.
     *
     * @param ttl how long they can be settled
     * @return the id of the reservation
     */
    String keep(Duration ttl);

    /** Gives the permits back, as far as they still count as used. */
    void cancel();

    /** The request is denied elsewhere: gives the permits back, but not those that are {@linkplain Taking taken} whatever is decided. */
    void deny();
}
