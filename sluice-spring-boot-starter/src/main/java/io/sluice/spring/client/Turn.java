package io.sluice.spring.client;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;

/** The permit of one request. It is waited for, and then either used or given back. Thread-safe. */
final class Turn {
    private final CompletableFuture<Void> taken;
    private final Runnable giveBack;
    private final AtomicBoolean settled = new AtomicBoolean();

    /**
     * A turn.
     *
     * @param taken completes when the permit is taken. Cancelling it ends the wait.
     * @param giveBack gives back a permit that is taken
     */
    Turn(CompletableFuture<Void> taken, Runnable giveBack) {
        this.taken = taken;
        this.giveBack = giveBack;
    }

    /** Completes when the permit is taken. Do not cancel it. */
    CompletableFuture<Void> taken() {
        return taken;
    }

    /** The request is sent now. False if it was cancelled: then it must not be sent. */
    boolean use() {
        return settled.compareAndSet(false, true);
    }

    /** The request is not wanted any more. Ends the wait, or gives the permit back if it was just taken. */
    void cancel() {
        if (settled.compareAndSet(false, true) && !taken.cancel(false) && !taken.isCompletedExceptionally()) {
            giveBack.run();
        }
    }
}
