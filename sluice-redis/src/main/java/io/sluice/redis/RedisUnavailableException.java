package io.sluice.redis;

import org.jspecify.annotations.Nullable;

/** Redis could not be reached for an operation that needs it: an update of limits, a publication, or deleting keys. */
public final class RedisUnavailableException extends RuntimeException {
    RedisUnavailableException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
