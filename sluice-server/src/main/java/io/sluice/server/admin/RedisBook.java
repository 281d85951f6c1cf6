package io.sluice.server.admin;

import io.sluice.Edition;
import io.sluice.Publication;
import io.sluice.policy.Policies;
import io.sluice.policy.PolicyEngine;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/** Policies that all replicas share, through their store. */
public final class RedisBook implements PolicyBook {
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

    /** The number is read first: should another edition come in between, who changes these policies is told. */
    @Override
    public InForce current() {
        long edition = engine.edition();
        return new InForce(edition, engine.policies());
    }

    @Override
    public long latest() {
        return await(publication::latest).map(Edition::number).orElse(0L);
    }

    /** Before the first is published, what this replica began with is in force. */
    @Override
    public List<Edition> history() {
        List<Edition> published = await(publication::history);
        Policies now = engine.policies();
        return published.isEmpty() ? List.of(new Edition(0, 0, now.text())) : published;
    }

    @Override
    public long put(String yaml, long after) {
        return engine.publish(yaml, after);
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
