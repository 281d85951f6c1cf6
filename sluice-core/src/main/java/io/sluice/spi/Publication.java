package io.sluice.spi;

import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;

/**
 * A text that all processes on one store share, such as their policies. When one process publishes an edition, all processes
 * get it within a second. The store keeps the latest editions.
 */
public interface Publication {
    /** How many editions the store keeps, the latest included. */
    int REMEMBERED = 20;

    /** The name of this publication. */
    String name();

    /** Reads the latest edition from the store. */
    CompletionStage<Optional<Edition>> latest();

    /** Reads the editions that the store keeps, latest first. */
    CompletionStage<List<Edition>> history();

    /**
     * Publishes a text as the next edition. Fails with {@link EditionConflictException} if another edition was published
     * meanwhile.
     *
     * @param after the number of the latest edition, 0 if there is none
     */
    CompletionStage<Edition> publish(String text, long after);

    /**
     * Reports that this process is ready to put an edition in force. If all processes are ready before the limits change, no
     * request has to wait. A process that learns of the edition only afterwards lets its requests wait.
     *
     * @return completes when all processes that follow are ready, or when it is no longer worth waiting for them
     */
    default CompletionStage<?> ready(long edition) {
        return CompletableFuture.completedFuture(edition);
    }

    /**
     * Calls a listener for every new edition, beginning with the current one, if there is one. The store calls it on its own
     * threads, one call at a time, so it must not block. It may miss editions that were replaced quickly.
     *
     * @return ends the subscription
     */
    Runnable follow(Consumer<Edition> listener);
}
