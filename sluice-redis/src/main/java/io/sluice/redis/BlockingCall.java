package io.sluice.redis;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** Blocks a caller until Redis has replied, where nothing but Redis can give the answer. */
final class BlockingCall {
    private BlockingCall() {}

    /**
     * Waits for a reply.
     *
     * @param what names the operation in the message of an exception
     * @throws RedisUnavailableException if the reply is a failure or does not come in time
     */
    static <T> T await(String what, CompletableFuture<T> reply, long nanos) {
        try {
            return reply.get(nanos, TimeUnit.NANOSECONDS);
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
