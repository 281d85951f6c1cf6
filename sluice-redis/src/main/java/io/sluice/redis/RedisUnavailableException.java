package io.sluice.redis;

import io.sluice.StoreUnavailableException;
import org.jspecify.annotations.Nullable;

/** Redis could not be reached for an operation that needs it: an update of limits, a publication, or deleting keys. */
public final class RedisUnavailableException extends StoreUnavailableException {
    RedisUnavailableException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
