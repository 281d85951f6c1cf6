package io.sluice.policy.engine;

import io.sluice.policy.Policies;
import io.sluice.policy.PolicyException;
import io.sluice.spi.Edition;
import io.sluice.spi.Publication;
import java.lang.System.Logger.Level;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** The policies that processes publish through the store, as numbered editions. Thread-safe. */
final class PublishedPolicies {
    private static final System.Logger LOG = System.getLogger("io.sluice.policy");

    /** The maximum wait for an answer of the store, where a caller waits for it. */
    static final long STORE_TIMEOUT_MILLIS = 2000;

    private final Publication publication;

    /** The policies that this process is publishing; saves reading them again. */
    private volatile @Nullable Policies publishing;

    PublishedPolicies(Publication publication) {
        this.publication = publication;
    }

    /** The latest edition; null if there is none, or the store did not answer within this time. */
    @Nullable
    Edition latest(long millis) {
        try {
            Optional<Edition> edition =
                    publication.latest().toCompletableFuture().get(millis, TimeUnit.MILLISECONDS);
            return edition.orElse(null);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (ExecutionException | TimeoutException e) {
            LOG.log(Level.WARNING, "policies: the store did not return the latest edition: {0}", e.toString());
        }
        return null;
    }

    /**
     * Publishes policies as the next edition.
     *
     * @param after the number of the edition that they replace
     * @param adopt puts the edition in force in this process
     * @return the number of the new edition
     */
    long publish(Policies policies, long after, Consumer<Edition> adopt) {
        publishing = policies;
        try {
            Edition edition = await(publication.publish(policies.text(), after));
            adopt.accept(edition);
            return edition.number();
        } finally {
            publishing = null;
        }
    }

    /**
     * Reads the policies of an edition.
     *
     * @throws PolicyException if the policies are refused
     */
    Policies read(Edition edition) {
        Policies known = publishing;
        return known != null && known.text().equals(edition.text())
                ? known
                : Policies.parse(edition.text(), "published edition " + edition.number());
    }

    /** Tells the other processes that this process is ready for an edition, or has refused it. */
    CompletableFuture<?> markReady(long edition) {
        return publication.ready(edition).toCompletableFuture();
    }

    /** {@link #markReady}, and waits until the other processes are ready. */
    void awaitAllReady(long edition) {
        try {
            markReady(edition).get(STORE_TIMEOUT_MILLIS, TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (ExecutionException | TimeoutException e) {
            LOG.log(
                    Level.WARNING,
                    "policies: the store did not answer whether all processes are ready for edition {0}: {1}",
                    edition,
                    e);
        }
    }

    private static <T> T await(CompletionStage<T> stage) {
        try {
            return stage.toCompletableFuture()
                    .orTimeout(STORE_TIMEOUT_MILLIS, TimeUnit.MILLISECONDS)
                    .join();
        } catch (CompletionException e) {
            if (e.getCause() instanceof RuntimeException cause) {
                throw cause;
            }
            throw new IllegalStateException(
                    "no answer from the store within " + STORE_TIMEOUT_MILLIS / 1000 + " s", e.getCause());
        }
    }
}
