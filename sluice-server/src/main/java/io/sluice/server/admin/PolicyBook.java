package io.sluice.server.admin;

import io.sluice.Edition;
import io.sluice.policy.Policies;
import java.io.IOException;
import java.util.List;

/** Where policies that are put are kept. All but {@link #current} may block. */
public interface PolicyBook {
    /**
     * What is in force here.
     *
     * @param edition the number that a change has to name
     */
    record InForce(long edition, Policies policies) {}

    InForce current();

    /** The number of the latest edition, wherever it was put. */
    long latest();

    /** The editions that are remembered, the latest first. One that has no time has 0 there. */
    List<Edition> history();

    /**
     * Puts policies in force, durably.
     *
     * @param after the edition that they replace
     * @return the new edition's number
     * @throws io.sluice.policy.PolicyException if they are refused
     * @throws io.sluice.EditionConflictException if another edition is the latest
     * @throws IOException if they cannot be kept; nothing has changed then
     */
    long put(String yaml, long after) throws IOException;

    /** Whether what was put is still there after a restart. */
    boolean durable();
}
