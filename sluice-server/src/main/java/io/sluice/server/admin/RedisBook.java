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

/** Policies that all replicas share, through their store. */
public final class RedisBook implements PolicyBook {
    private static final System.Logger LOG = System.getLogger("io.sluice.server");
    private static final long PATIENCE_SECONDS = 2;

    private final PolicyEngine engine;
    private final Publication publication;

    /**
     * The book of an engine that follows what is published.
     *
     * @param publication the one that it follows
     */
    public RedisBook(PolicyEngine engine, Publication publication) {
        this.engine = engine;
        this.publication = publication;
    }

    /** The number is read first: should another edition come in between, the text is never older than the number says. */
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

    /** Before the first is published, what this replica began with is in force. */
    private Edition unpublished() {
        return new Edition(0, 0, engine.policies().text());
    }

    /**
     * The text is compared here and the number in Redis, in one step with the change: an edition that any replica
     * published in between is compared in its turn. It is one edition of somebody else for each turn, so this ends.
     */
    @Override
    public Change put(Policies policies, Predicate<String> replaceable) {
        while (true) {
            Edition before = latest();
            if (!replaceable.test(before.text())) {
                throw new NotExpectedException(before);
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

    /** Whatever its client says when it is away. */
    private static <T> T await(Supplier<CompletionStage<T>> asked) {
        try {
            return asked.get()
                    .toCompletableFuture()
                    .orTimeout(PATIENCE_SECONDS, TimeUnit.SECONDS)
                    .join();
        } catch (RuntimeException e) {
            throw new IllegalStateException("Redis: " + (e.getCause() == null ? e : e.getCause()), e);
        }
    }
}
