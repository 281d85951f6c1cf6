package io.sluice.server.admin;

import io.sluice.policy.Policies;
import io.sluice.policy.PolicyEngine;
import io.sluice.spi.Edition;
import io.sluice.spi.EditionConflictException;
import io.sluice.spi.Publication;
import java.lang.System.Logger.Level;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import java.util.function.Supplier;

/** The policies that all replicas share, published in Redis. */
public final class RedisPolicyRepository implements PolicyRepository {
    private static final System.Logger LOG = System.getLogger("io.sluice.server");
    private static final long TIMEOUT_SECONDS = 2;

    private final PolicyEngine engine;
    private final Publication publication;

    /**
     * Creates the repository of an engine that follows a publication.
     *
     * @param publication the one that the engine follows
     */
    public RedisPolicyRepository(PolicyEngine engine, Publication publication) {
        this.engine = engine;
        this.publication = publication;
    }

    /** Reads the number first. If another edition comes in between, the text is newer than the number, never older. */
    @Override
    public InForce current() {
        long edition = engine.edition();
        return new InForce(edition, engine.policies());
    }

    @Override
    public Edition latest() {
        return await(publication::latest).orElseGet(this::unpublished);
    }

    @Override
    public List<Edition> history() {
        List<Edition> published = await(publication::history);
        return published.isEmpty() ? List.of(unpublished()) : published;
    }

    /** The policies with which this replica started. They are in force until the first publication. */
    private Edition unpublished() {
        return new Edition(0, 0, engine.policies().text());
    }

    /**
     * Compares the text here. Redis compares the number in one step with the change. If another replica published an edition in
     * between, its text is compared too. Each turn needs a new edition of another replica, so the loop ends.
     */
    @Override
    public Change replace(Policies policies, Predicate<String> replaceable) {
        while (true) {
            Edition before = latest();
            if (!replaceable.test(before.text())) {
                throw new PreconditionFailedException(before);
            }
            try {
                return new Change(before.number(), engine.publish(policies, before.number()));
            } catch (EditionConflictException e) {
                LOG.log(Level.DEBUG, "policies are compared again: {0}", e.getMessage());
            }
        }
    }

    @Override
    public boolean durable() {
        return true;
    }

    /** Waits for an answer of Redis. All failures become one exception. */
    private static <T> T await(Supplier<CompletionStage<T>> call) {
        try {
            return call.get()
                    .toCompletableFuture()
                    .orTimeout(TIMEOUT_SECONDS, TimeUnit.SECONDS)
                    .join();
        } catch (RuntimeException e) {
            throw new IllegalStateException("Redis: " + (e.getCause() == null ? e : e.getCause()), e);
        }
    }
}
