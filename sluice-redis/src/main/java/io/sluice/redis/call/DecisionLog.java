package io.sluice.redis.call;

import io.sluice.Decision;

/** Hears what Redis decided, and when. Tests have one; nobody else does. */
@FunctionalInterface
public interface DecisionLog {
    /**
     * A check was decided; those of one key and one moment come in the order in which they were.
     *
     * @param redisMicros when, by the clock of Redis
     */
    void decided(String key, long permits, Decision decision, long redisMicros);
}
