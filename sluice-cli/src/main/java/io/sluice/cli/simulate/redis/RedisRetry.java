package io.sluice.cli.simulate.redis;

import io.lettuce.core.RedisCommandExecutionException;
import io.lettuce.core.RedisCommandTimeoutException;
import io.lettuce.core.RedisException;
import java.io.IOException;
import java.nio.channels.ClosedChannelException;
import java.time.Duration;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/*
 * When Redis refuses a login, Lettuce closes the connection. Sometimes the close comes before the error of Redis, and the
 * exception names only the close: "RedisHandshakeHandler not registered", "Connection closed prematurely". The error of
 * Redis is then lost, but Redis gives it again on the next attempt.
 */
/** Repeats a Redis call while its failure does not name the cause. */
final class RedisRetry {
    static final int MAX_ATTEMPTS = 10;
    static final Duration MAX_TIME = Duration.ofSeconds(5);

    private RedisRetry() {}

    /**
     * Returns the result of the first attempt that succeeds.
     *
     * @param nanos the clock
     * @throws RedisException the first failure that names its cause, else the latest failure
     */
    static <T> T of(Supplier<T> attempt, LongSupplier nanos) {
        long start = nanos.getAsLong();
        for (int attempts = 1; ; attempts++) {
            try {
                return attempt.get();
            } catch (RedisException e) {
                boolean exhausted = attempts == MAX_ATTEMPTS || nanos.getAsLong() - start >= MAX_TIME.toNanos();
                if (exhausted || namesCause(e)) {
                    throw e;
                }
            }
        }
    }

    /** Whether the failure comes from Redis or from the network. */
    private static boolean namesCause(Throwable failure) {
        for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
            if (cause instanceof RedisCommandExecutionException
                    || cause instanceof RedisCommandTimeoutException
                    || (cause instanceof IOException && !(cause instanceof ClosedChannelException))) {
                return true;
            }
        }
        return false;
    }
}
