package io.sluice.server.http;

import java.util.ArrayDeque;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/*
 * A client that sends requests faster than it reads responses is slowed down, not refused: its requests wait here, and the
 * server reads nothing more from it.
 */
/** The requests of a connection that wait until earlier responses have been sent. Used on its event loop only. */
final class RequestQueue {
    private final ArrayDeque<Runnable> waiting = new ArrayDeque<>(0);
    private final BooleanSupplier full;
    private final Consumer<Runnable> executor;
    private boolean scheduled;

    /**
     * Creates an empty queue.
     *
     * @param full whether too many bytes of responses are unsent
     * @param executor runs a task on the event loop, after the current task
     */
    RequestQueue(BooleanSupplier full, Consumer<Runnable> executor) {
        this.full = full;
        this.executor = executor;
    }

    /** Whether a new request must wait in this queue. */
    boolean mustWait() {
        return !waiting.isEmpty() || full.getAsBoolean();
    }

    void add(Runnable request) {
        waiting.add(request);
    }

    /** Schedules the next request, and the others after it, as long as there is room for responses. */
    void runNext() {
        if (!scheduled && !waiting.isEmpty()) {
            scheduled = true;
            executor.accept(this::run);
        }
    }

    private void run() {
        scheduled = false;
        if (!full.getAsBoolean()) {
            @Nullable Runnable request = waiting.poll();
            if (request != null) {
                request.run();
                runNext();
            }
        }
    }
}
