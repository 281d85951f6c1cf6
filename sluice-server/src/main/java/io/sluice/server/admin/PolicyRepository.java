package io.sluice.server.admin;

import io.sluice.policy.Policies;
import io.sluice.spi.Edition;
import java.io.IOException;
import java.util.List;
import java.util.function.Predicate;

/** Stores the policies of the admin API and their history. All methods but {@link #current} may block. */
public interface PolicyRepository {
    /**
     * The policies in force on this server.
     *
     * @param edition their number in the history
     */
    record InForce(long edition, Policies policies) {}

    /**
     * A change of the policies.
     *
     * @param before the number of the replaced edition
     * @param after the number of the new edition
     */
    record Change(long before, long after) {}

    InForce current();

    /** The latest edition of all servers: the one that a change would replace. Its time may be 0. */
    Edition latest();

    /** The editions of the history, the latest first. The time of an edition is 0 if it is not known. */
    List<Edition> history();

    /**
     * Puts policies in force and stores them, if they may replace the text of the latest edition. Checking and replacing are one
     * step: no other edition can come in between.
     *
     * @param replaceable whether a text may be replaced; called again if another edition came first
     * @throws PreconditionFailedException if the latest edition may not be replaced
     * @throws IOException if the policies cannot be stored; nothing has changed then
     */
    Change replace(Policies policies, Predicate<String> replaceable) throws IOException;

    /** Whether replaced policies survive a restart. */
    boolean durable();
}
