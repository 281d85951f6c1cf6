package io.sluice.memory;

import io.sluice.TimeSource;
import io.sluice.spi.Edition;
import io.sluice.spi.EditionConflictException;
import io.sluice.spi.Publication;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;

/** A publication of a {@link MemoryStore}: only this process sees it. Thread-safe. */
final class MemoryPublication implements Publication {
    private final String name;
    private final TimeSource time;

    /** The editions, latest first. */
    private final ArrayDeque<Edition> editions = new ArrayDeque<>();

    private final List<Consumer<Edition>> listeners = new ArrayList<>();

    MemoryPublication(String name, TimeSource time) {
        this.name = name;
        this.time = time;
    }

    /** Restores a publication from a snapshot. */
    MemoryPublication(String name, TimeSource time, List<Edition> editions) {
        this(name, time);
        this.editions.addAll(editions);
    }

    /** The editions, latest first. */
    synchronized List<Edition> editions() {
        return List.copyOf(editions);
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public synchronized CompletionStage<Optional<Edition>> latest() {
        return CompletableFuture.completedFuture(Optional.ofNullable(editions.peekFirst()));
    }

    @Override
    public CompletionStage<List<Edition>> history() {
        return CompletableFuture.completedFuture(editions());
    }

    @Override
    public synchronized CompletionStage<Edition> publish(String text, long after) {
        Objects.requireNonNull(text, "text");
        Edition before = editions.peekFirst();
        long latest = before == null ? 0 : before.number();
        if (latest != after) {
            return CompletableFuture.failedFuture(new EditionConflictException(name, after, latest));
        }
        Edition edition = new Edition(latest + 1, time.wallMicros(), text);
        editions.addFirst(edition);
        if (editions.size() > REMEMBERED) {
            editions.removeLast();
        }
        // Under the lock, so that each listener gets the editions in order.
        List.copyOf(listeners).forEach(listener -> listener.accept(edition));
        return CompletableFuture.completedFuture(edition);
    }

    @Override
    public synchronized Runnable follow(Consumer<Edition> listener) {
        listeners.add(listener);
        Edition present = editions.peekFirst();
        if (present != null) {
            listener.accept(present);
        }
        return () -> {
            synchronized (this) {
                listeners.remove(listener);
            }
        };
    }
}
