package io.sluice.redis;

import io.sluice.Decision;
import io.sluice.OnFailure;
import io.sluice.redis.Call.Verb;
import io.sluice.redis.JointCall.Ask;
import io.sluice.redis.LocalKey.Promise;

/** What a limiter answers when Redis does not. */
final class Fallback {
    /** When to ask again, where nothing better is known: Redis is tried again about that often. */
    private static final long RETRY_MICROS = 1_000_000;

    private static final Decision ALLOWED = Decision.allowed(0, 0, 0).asDegraded();
    private static final Decision DENIED = Decision.denied(0, RETRY_MICROS, 0).asDegraded();

    private final RedisLimiter limiter;
    private final OnFailure how;

    /** Whether whoever waits for permits waits for Redis. */
    private final boolean waitsForRedis;

    /** @param explicit whether the limiter's own options say so, not those that the store has for all */
    Fallback(RedisLimiter limiter, OnFailure how, boolean explicit) {
        this.limiter = limiter;
        this.how = how;
        this.waitsForRedis = how == OnFailure.DENY || (how == OnFailure.ALLOW && !explicit);
    }

    OnFailure how() {
        return how;
    }

    Decision check(String key, long permits, Verb verb) {
        limiter.store().health.degraded(limiter);
        return switch (how) {
            case ALLOW -> ALLOWED;
            case DENY -> DENIED;
            case LOCAL -> answer(limiter.store().localShares.check(limiter, key, permits, verb), permits);
        };
    }

    /** The share of a process may be too small for a request that Redis would allow: that is no never. */
    Decision answer(Decision decision, long permits) {
        return decision.never() && isPossible(permits)
                ? Decision.denied(decision.remaining(), RETRY_MICROS, decision.resetAfterMicros())
                        .asDegraded()
                : decision.asDegraded();
    }

    private boolean isPossible(long permits) {
        return limiter.limits().stream().allMatch(limit -> permits <= limit.capacity());
    }

    RedisReservation reserve(ReserveCall call, long atMostMicros) {
        if (call.waits && waitsForRedis) {
            limiter.store().health.unanswered();
            return isPossible(call.permits)
                    ? RedisReservation.awaitingRedis(call)
                    : RedisReservation.degraded(call, false, Decision.NEVER, () -> {});
        }
        limiter.store().health.degraded(limiter);
        return switch (how) {
            case ALLOW -> RedisReservation.degraded(call, true, 0, () -> {});
            case DENY -> RedisReservation.degraded(call, false, RETRY_MICROS, () -> {});
            case LOCAL -> {
                Promise promise = limiter.store().localShares.promise(limiter, call.key, call.permits, atMostMicros);
                long wait = promise.granted() ? promise.waitMicros() : Math.min(RETRY_MICROS, promise.waitMicros());
                yield RedisReservation.degraded(call, promise.granted(), wait, promise.cancel());
            }
        };
    }

    /** What a charge on this process's share was answered. */
    Decision answer(Decision decision, Ask ask) {
        limiter.store().health.degraded(limiter);
        return answer(decision, ask.judged());
    }
}
