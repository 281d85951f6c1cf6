package io.sluice.server.admin;

import io.sluice.policy.Policies;
import io.sluice.policy.PolicyEngine;
import io.sluice.spi.Edition;
import java.util.List;
import java.util.function.Predicate;

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
    public Edition latest() {
        InForce now = current();
        return new Edition(now.edition(), 0, now.policies().text());
    }

    @Override
    public List<Edition> history() {
        return List.of(latest());
    }

    @Override
    public Change put(Policies policies, Predicate<String> replaceable) {
        throw new UnsupportedOperationException("the policies come from " + where + " (expected: a change there)");
    }

    @Override
    public boolean durable() {
        return true;
    }
}
