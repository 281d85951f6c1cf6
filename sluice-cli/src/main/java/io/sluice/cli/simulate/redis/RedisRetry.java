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
 * When Redis refuses a login, Lettuce closes the connection. Now and then that comes before what Redis has said, and the
 * failure tells of the closing only: "RedisHandshakeHandler not registered", "Connection closed prematurely". What Redis
 * has said is lost then, but Redis says it again to whoever asks again.
 */
/** Asks Redis again as long as a failure does not say what is wrong. */
final class RedisRetry {
    static final int MOST_ATTEMPTS = 10;
    static final Duration PATIENCE = Duration.ofSeconds(5);

    private RedisRetry() {}

    /**
     * The result of the first attempt that succeeds.
     *
     * @param nanos the clock
     * @throws RedisException the first clear failure; the latest if none is clear
     */
    static <T> T of(Supplier<T> attempt, LongSupplier nanos) {
        long start = nanos.getAsLong();
        for (int attempts = 1; ; attempts++) {
            try {
                return attempt.get();
            } catch (RedisException e) {
                boolean tired = attempts == MOST_ATTEMPTS || nanos.getAsLong() - start >= PATIENCE.toNanos();
                if (tired || isClear(e)) {
                    throw e;
                }
            }
        }
    }

    /** Whether it comes from Redis or from the network. */
    private static boolean isClear(Throwable failure) {
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
