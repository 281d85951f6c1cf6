package io.sluice.server.admin;

import io.sluice.policy.PolicyEngine;
import io.sluice.policy.TemporaryOverride;
import io.sluice.spi.Edition;
import io.sluice.spi.EditionConflictException;
import io.sluice.spi.Publication;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.function.UnaryOperator;

/** The temporary overrides that all replicas share, as a publication in Redis. */
public final class RedisOverrideRepository implements OverrideRepository {
    private static final long TIMEOUT_SECONDS = 2;
    private static final int MAX_TRIES = 20;

    private final PolicyEngine engine;
    private final Publication publication;
    private final Runnable unfollow;

    /** @param publication has the overrides; not that of the policies */
    public RedisOverrideRepository(PolicyEngine engine, Publication publication) {
        this.engine = engine;
        this.publication = publication;
        unfollow = publication.follow(this::adopt);
    }

    private void adopt(Edition edition) {
        engine.temporaryOverrides(OverrideText.parse(edition.text()));
    }

    @Override
    public void change(UnaryOperator<List<TemporaryOverride>> change) {
        for (int tries = 1; ; tries++) {
            Optional<Edition> before = await(publication.latest());
            List<TemporaryOverride> stored =
                    before.map(edition -> OverrideText.parse(edition.text())).orElse(List.of());
            String next = OverrideText.of(change.apply(OverrideText.holding(stored, Instant.now())));
            try {
                // The publication calls adopt(), in the order of the editions: another replica's may already be newer.
                await(publication.publish(next, before.map(Edition::number).orElse(0L)));
                return;
            } catch (EditionConflictException e) {
                // Another replica was faster. Its overrides must not be lost.
                if (tries == MAX_TRIES) {
                    throw new IllegalStateException("too many changes at the same time", e);
                }
            }
        }
    }

    private static <T> T await(CompletionStage<T> answer) {
        try {
            return answer.toCompletableFuture()
                    .orTimeout(TIMEOUT_SECONDS, TimeUnit.SECONDS)
                    .join();
        } catch (CompletionException e) {
            if (e.getCause() instanceof EditionConflictException conflict) {
                throw conflict;
            }
            throw new IllegalStateException("Redis: " + (e.getCause() == null ? e : e.getCause()), e);
        }
    }

    @Override
    public boolean durable() {
        return true;
    }

    @Override
    public void close() {
        unfollow.run();
    }
}
