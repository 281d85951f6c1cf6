package io.sluice.redis;

import org.jspecify.annotations.Nullable;

/** Redis could not be asked for what nothing else can answer: an update of limits, or deleting keys. */
public final class RedisUnavailableException extends RuntimeException {
    RedisUnavailableException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
