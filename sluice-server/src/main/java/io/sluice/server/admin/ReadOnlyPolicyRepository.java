package io.sluice.server.admin;

import io.sluice.policy.Policies;
import io.sluice.policy.PolicyEngine;
import io.sluice.spi.Edition;
import java.util.List;
import java.util.function.Predicate;

/** Policies that the admin API cannot replace. */
public final class ReadOnlyPolicyRepository implements PolicyRepository {
    private final PolicyEngine engine;
    private final String source;

    /**
     * Creates the repository of an engine whose policies come from elsewhere.
     *
     * @param source where the policies come from, for the error message
     */
    public ReadOnlyPolicyRepository(PolicyEngine engine, String source) {
        this.engine = engine;
        this.source = source;
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
    public Change replace(Policies policies, Predicate<String> replaceable) {
        throw new UnsupportedOperationException("the policies come from " + source + " (expected: a change there)");
    }

    @Override
    public boolean durable() {
        return true;
    }
}
