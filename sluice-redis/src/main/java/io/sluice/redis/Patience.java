package io.sluice.redis;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** Waits for Redis where no decision is asked for; a decision has its deadline. */
final class Patience {
    private Patience() {}

    /** Waits a little for what may as well be done later. Says whether somebody should see to it, because it failed or is late. */
    static boolean inVain(CompletableFuture<?> done, long nanos) {
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

    /** Waits for what nothing but Redis can answer. */
    static <T> T await(String what, CompletableFuture<T> answer, long nanos) {
        try {
            return answer.get(nanos, TimeUnit.NANOSECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new RedisUnavailableException(what + ": interrupted", e);
        } catch (TimeoutException e) {
            throw new RedisUnavailableException(what + ": no answer from Redis", e);
        } catch (ExecutionException e) {
            throw new RedisUnavailableException(what + ": " + e.getCause(), e.getCause());
        }
    }
}
