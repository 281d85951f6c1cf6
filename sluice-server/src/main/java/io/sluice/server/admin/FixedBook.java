package io.sluice.server.admin;

import io.sluice.Edition;
import io.sluice.policy.PolicyEngine;
import java.util.List;

/** Policies that come from elsewhere, and cannot be put. */
public final class FixedBook implements PolicyBook {
    private final PolicyEngine engine;
    private final String where;

    /**
     * The book of an engine whose policies are not to be put.
     *
     * @param where they come from, for who tries to put others
     */
    public FixedBook(PolicyEngine engine, String where) {
        this.engine = engine;
        this.where = where;
    }

    @Override
    public InForce current() {
        long version = engine.version();
        return new InForce(version, engine.policies());
    }

    @Override
    public long latest() {
        return engine.version();
    }

    @Override
    public List<Edition> history() {
        InForce now = current();
        return List.of(new Edition(now.edition(), 0, now.policies().text()));
    }

    @Override
    public long put(String yaml, long after) {
        throw new UnsupportedOperationException("the policies come from " + where + " (expected: a change there)");
    }

    @Override
    public boolean durable() {
        return true;
    }
}
