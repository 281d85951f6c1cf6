package io.sluice.redis;

import io.sluice.Limit;
import io.sluice.LimiterOptions;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;

/** The limits of one limiter: those that this process wants, and those in force as far as it knows. */
final class Agreement {
    private volatile List<Limit> brought;
    private volatile Terms terms;
    private volatile boolean reached;
    private volatile boolean wanted;
    private CompletableFuture<?> updates = CompletableFuture.completedFuture(null);

    Agreement(LimiterOptions options, List<Limit> limits) {
        this.brought = limits;
        this.terms = unasked(options, limits);
    }

    private static Terms unasked(LimiterOptions options, List<Limit> limits) {
        return new Terms(List.of(new Terms.Version(1, 0, options.revision(), limits)));
    }

    Terms terms() {
        return terms;
    }

    /** Whether Redis and this process know the same limits. */
    boolean isReached() {
        return reached;
    }

    /** Whether this process has asked for the limits to be in force. */
    boolean isWanted() {
        return wanted;
    }

    void want() {
        wanted = true;
    }

    /** The limits that this process was told, which need not be those in force. */
    List<Limit> brought() {
        return brought;
    }

    /** This process wants these limits in force from now on. */
    void bring(List<Limit> limits) {
        brought = limits;
    }

    /** As long as Redis has not been asked, what this process wants is what counts. */
    synchronized void bringUnasked(LimiterOptions options, List<Limit> limits) {
        if (!reached) {
            terms = unasked(options, limits);
        }
    }

    /** Takes over the terms that Redis has, unless newer ones are known; whether that changes anything. */
    synchronized boolean adopt(Terms newer) {
        boolean changes = !reached || newer.version() != terms.version();
        if (reached && newer.version() < terms.version()) {
            return false;
        }
        terms = newer;
        reached = true;
        return changes;
    }

    /** One update of a process at a time: they would only get in each other's way. */
    <T> CompletableFuture<T> afterOtherUpdates(Supplier<CompletableFuture<T>> update) {
        CompletableFuture<T> next = new CompletableFuture<>();
        CompletableFuture<?> before;
        synchronized (this) {
            before = updates;
            updates = next;
        }
        // Not under the lock: who updates takes others.
        before.handle((done, failure) -> done)
                .thenCompose(unused -> update.get())
                .whenComplete((done, failure) -> {
                    if (failure == null) {
                        next.complete(done);
                    } else {
                        next.completeExceptionally(failure);
                    }
                });
        return next;
    }
}
