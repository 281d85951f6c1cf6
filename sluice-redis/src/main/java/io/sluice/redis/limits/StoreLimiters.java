package io.sluice.redis.limits;

import java.util.Collection;
import org.jspecify.annotations.Nullable;

/** Gives {@link Config} access to the limiters of its store. The store implements it. */
public interface StoreLimiters {
    /** The limits of all limiters that the store has. */
    Collection<AgreedLimits> all();

    /** The limits of one limiter; null if the store has no limiter of that name, or has released it. */
    @Nullable
    AgreedLimits find(String name);

    /** How many processes use the same Redis and prefix; at least 1. */
    int processes();

    /** Makes the exception for callers whose update Redis could not carry out. */
    RuntimeException unavailable(String message);
}
