package io.sluice.server.admin;

import io.sluice.policy.Policies;
import io.sluice.spi.Edition;
import java.io.IOException;
import java.util.List;
import java.util.function.Predicate;

/** Where policies that are put are kept. All but {@link #current} may block. */
public interface PolicyBook {
    /**
     * What is in force here.
     *
     * @param edition its number in the history
     */
    record InForce(long edition, Policies policies) {}

    /**
     * What a change did, in numbers of editions.
     *
     * @param before the one that was replaced
     * @param after the new one
     */
    record Change(long before, long after) {}

    InForce current();

    /** The latest edition, wherever it was put: the one that a change would replace. Its time may be 0. */
    Edition latest();

    /** The editions that are remembered, the latest first. One that has no time has 0 there. */
    List<Edition> history();

    /**
     * Puts policies in force, durably, if the latest edition has a text that they may replace. No other edition can come
     * in between: the text that was asked about is the one that is replaced.
     *
     * @param replaceable whether they may replace that text; asked again if another edition came first
     * @throws RuntimeException one of its own, which says what is the latest, if they may not replace that
     * @throws IOException if they cannot be kept; nothing has changed then
     */
    Change put(Policies policies, Predicate<String> replaceable) throws IOException;

    /** Whether what was put is still there after a restart. */
    boolean durable();
}
