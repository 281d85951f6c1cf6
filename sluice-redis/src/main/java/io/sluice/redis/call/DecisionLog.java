package io.sluice.redis.call;

import io.sluice.Decision;

/** Hears the decisions of Redis. Only tests use it. */
@FunctionalInterface
public interface DecisionLog {
    /**
     * Redis has decided a check. Decisions on one key at one time come in their order.
     *
     * @param redisMicros the time of the decision, by the clock of Redis
     */
    void decided(String key, long permits, Decision decision, long redisMicros);
}
