package io.sluice.server.admin;

import io.sluice.policy.TemporaryOverride;
import java.io.IOException;
import java.util.List;
import java.util.function.UnaryOperator;

/** Stores the temporary overrides, and keeps the engine up to date. */
public interface OverrideRepository extends AutoCloseable {
    /** Maximum number of overrides. */
    int MAX = 1000;

    /**
     * Replaces the overrides by a function of those that are stored and have not ended. May block.
     *
     * @param change called again if another process changed them meanwhile
     * @throws IOException if they cannot be stored; nothing has changed then
     */
    void change(UnaryOperator<List<TemporaryOverride>> change) throws IOException;

    /** Whether they survive a restart. */
    boolean durable();

    @Override
    void close();
}
