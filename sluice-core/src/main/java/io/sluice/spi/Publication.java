package io.sluice.spi;

import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;

/**
 * A text that all processes on one store share, such as their policies: one publishes it, all hear of it within a second.
 * The latest editions are kept.
 */
public interface Publication {
    /** How many editions are remembered, the latest included. */
    int REMEMBERED = 20;

    /** What this is called. */
    String name();

    /** The latest edition, asked of the store. */
    CompletionStage<Optional<Edition>> latest();

    /** The editions that are remembered, the latest first. */
    CompletionStage<List<Edition>> history();

    /**
     * Publishes a text, if nobody else has meanwhile; else fails with {@link EditionConflictException}.
     *
     * @param after the number of the edition that it replaces; 0 for the first
     */
    CompletionStage<Edition> publish(String text, long after);

    /**
     * Says that this process is ready to put an edition in force. An edition that all have got ready for changes nothing for anybody
     * who is being decided; one that some hear of only when its limits are in force keeps those waiting.
     *
     * @return completes when all processes that follow are ready, or as soon as it is not worth to wait for them any longer
     */
    default CompletionStage<?> ready(long edition) {
        return CompletableFuture.completedFuture(edition);
    }

    /**
     * Has a listener hear of every newer edition than the last it heard of, beginning with the present one, if there is
     * one. It is called on the store's threads, one call at a time, and must not block; it may miss editions that were
     * replaced at once.
     *
     * @return ends it
     */
    Runnable follow(Consumer<Edition> listener);
}
