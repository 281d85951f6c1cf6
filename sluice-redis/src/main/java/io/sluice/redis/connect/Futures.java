package io.sluice.redis.connect;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** Waits for replies of Redis that may as well come later. Decisions do not wait here: they have their deadline. */
public final class Futures {
    private Futures() {}

    /**
     * Waits for a future, for a limited time.
     *
     * @return whether the future has failed or is still open; false if this thread was interrupted
     */
    public static boolean isLateOrFailed(CompletableFuture<?> done, long nanos) {
        try {
            done.get(nanos, TimeUnit.NANOSECONDS);
            return false;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        } catch (ExecutionException | TimeoutException e) {
            return true;
        }
    }
}
