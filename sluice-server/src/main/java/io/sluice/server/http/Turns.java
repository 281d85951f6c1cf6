package io.sluice.server.http;

import java.util.ArrayDeque;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/*
 * Who asks faster than it reads is slowed down, not refused: what it asks has to wait, and so does what it sends, since that is not
 * read either.
 */
/** The requests of a connection that wait until earlier answers have left. Used on its event loop only. */
final class Turns {
    private final ArrayDeque<Runnable> waiting = new ArrayDeque<>(0);
    private final BooleanSupplier full;
    private final Consumer<Runnable> later;
    private boolean coming;

    /**
     * Begins with none.
     *
     * @param full whether too many bytes wait to leave
     * @param later runs a task on the event loop, after what runs there now
     */
    Turns(BooleanSupplier full, Consumer<Runnable> later) {
        this.full = full;
        this.later = later;
    }

    /** Whether a request has to wait for its turn. */
    boolean isFull() {
        return !waiting.isEmpty() || full.getAsBoolean();
    }

    void add(Runnable request) {
        waiting.add(request);
    }

    /** Some answers have left: one request may go on, and after it the next. */
    void next() {
        if (!coming && !waiting.isEmpty()) {
            coming = true;
            later.accept(this::turn);
        }
    }

    private void turn() {
        coming = false;
        if (!full.getAsBoolean()) {
            @Nullable Runnable request = waiting.poll();
            if (request != null) {
                request.run();
                next();
            }
        }
    }
}
