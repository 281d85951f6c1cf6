package io.sluice.redis.call;

import java.util.Optional;
import java.util.concurrent.CompletionStage;

/** The answer to a caller that waits for permits: granted, or when to ask again. */
public interface Admission {
    boolean granted();

    /** The time until the permits may be used; if they were not granted, the least time until they may be free. */
    long waitMicros();

    /** When to ask again at the latest, if the permits were not granted. */
    default long askAgainMicros() {
        return waitMicros();
    }

    /** The virtual time of the request; 0 without virtual time. */
    long virtualMicros();

    boolean isDegraded();

    boolean isPaused();

    /** Whether the caller must ask Redis as soon as it answers again. */
    boolean awaitsRedis();

    /** Gives the permits back. */
    CompletionStage<Void> cancelAsync();

    /** The permit, if it was granted. */
    Optional<RedisPermit> permit();
}
