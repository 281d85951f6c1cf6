package io.sluice.redis.call;

import io.sluice.CallLimiter;
import io.sluice.Charge;
import io.sluice.Decision;
import io.sluice.Limit;
import io.sluice.OnFailure;
import io.sluice.redis.limits.VersionedLimits;
import io.sluice.redis.local.LocalKey.Promise;
import io.sluice.redis.script.Verb;
import io.sluice.spi.PolicyCharge;
import org.jspecify.annotations.Nullable;

/** What a limiter answers when Redis does not. */
final class Fallback {
    /** When to ask again, where nothing better is known: Redis is tried again about that often. */
    private static final long RETRY_MICROS = 1_000_000;

    private static final Decision ALLOWED = Decision.allowed(0, 0, 0).asDegraded();
    private static final Decision DENIED = Decision.denied(0, RETRY_MICROS, 0).asDegraded();

    private final LimiterContext limiter;
    private final OnFailure how;
    private final Health health;
    private final LocalShares localShares;

    /** Whether whoever waits for permits waits for Redis. */
    private final boolean waitsForRedis;

    /** @param explicit whether the limiter's own options say so, not those that the store has for all */
    Fallback(LimiterContext limiter, OnFailure how, boolean explicit, Health health, LocalShares localShares) {
        this.limiter = limiter;
        this.how = how;
        this.health = health;
        this.localShares = localShares;
        this.waitsForRedis = how == OnFailure.DENY || (how == OnFailure.ALLOW && !explicit);
    }

    OnFailure how() {
        return how;
    }

    /** @param callLimit of the limit that a call brings; null for those in force */
    Decision check(String key, long permits, Verb verb, @Nullable VersionedLimits callLimit) {
        health.degraded(limiter);
        return switch (how) {
            case ALLOW -> ALLOWED;
            case DENY -> DENIED;
            case LOCAL ->
                callLimit == null
                        ? answer(localShares.check(limiter, key, permits, verb), permits, limiter.versions())
                        : answer(
                                verb == Verb.PEEK ? peek(key, permits, callLimit) : take(key, permits, callLimit),
                                permits,
                                callLimit);
        };
    }

    /** Gives back what {@link #check} took here. */
    void refund(String key, long permits) {
        if (how == OnFailure.LOCAL && limiter.takesCallLimits()) {
            localCalls().refund(key, permits);
        } else if (how == OnFailure.LOCAL) {
            localShares.refund(limiter, key, permits);
        }
    }

    /** The share of a process may be too small for a request that Redis would allow: that is no never. */
    private Decision answer(Decision decision, long permits, VersionedLimits terms) {
        return decision.never() && isPossible(permits, terms)
                ? Decision.denied(decision.remaining(), RETRY_MICROS, decision.resetAfterMicros())
                        .asDegraded()
                : decision.asDegraded();
    }

    private static boolean isPossible(long permits, VersionedLimits terms) {
        return terms.limits().stream().allMatch(limit -> permits <= limit.capacity());
    }

    RedisReservation reserve(ReserveCall call, long atMostMicros) {
        if (call.waits && waitsForRedis) {
            health.unanswered(limiter);
            return isPossible(call.permits, limiter.versions())
                    ? RedisReservation.awaitingRedis(call)
                    : RedisReservation.degraded(call, false, Decision.NEVER, () -> {});
        }
        health.degraded(limiter);
        return switch (how) {
            case ALLOW -> RedisReservation.degraded(call, true, 0, () -> {});
            case DENY -> RedisReservation.degraded(call, false, RETRY_MICROS, () -> {});
            case LOCAL -> {
                Promise promise = localShares.promise(limiter, call.key, call.permits, atMostMicros);
                long wait = promise.granted() ? promise.waitMicros() : Math.min(RETRY_MICROS, promise.waitMicros());
                yield RedisReservation.degraded(call, promise.granted(), wait, promise.cancel());
            }
        };
    }

    /** A charge of a call that brings its own limit, on this process's share of that. */
    Charge charge(KeyCharge charge, VersionedLimits callLimit) {
        PolicyCharge onShare = PolicyCharge.of(localCalls().charge(charge.key(), charge.permits(), share(callLimit)))
                .keeping(keptHere(charge));
        return charge.shadow() ? onShare.inShadow() : onShare;
    }

    /** What such a charge would be answered; takes nothing. */
    Decision look(KeyCharge charge, VersionedLimits callLimit) {
        long kept = keptHere(charge);
        long judged = charge.permits() > Long.MAX_VALUE - kept ? Long.MAX_VALUE : charge.permits() + kept;
        Decision look = peek(charge.key(), judged, callLimit);
        return new Decision(
                look.allowed(),
                Math.max(0, look.remaining() - kept),
                look.retryAfterMicros(),
                look.delayMicros(),
                look.resetAfterMicros());
    }

    /** Of what is kept for others, this process keeps its share. */
    private long keptHere(KeyCharge charge) {
        return localShares.part(charge.kept());
    }

    private Decision take(String key, long permits, VersionedLimits callLimit) {
        return localCalls().check(key, permits, share(callLimit));
    }

    private Decision peek(String key, long permits, VersionedLimits callLimit) {
        return localCalls().peek(key, permits, share(callLimit));
    }

    private CallLimiter localCalls() {
        return localShares.keys().callLimiter(limiter.name);
    }

    private Limit share(VersionedLimits callLimit) {
        return localShares.keys().share(callLimit.limits().get(0));
    }

    /** What a charge on this process's share was answered. */
    Decision answer(Decision decision, KeyCharge charge) {
        health.degraded(limiter);
        return answer(decision, charge.judged(), charge.callLimit() == null ? limiter.versions() : charge.callLimit());
    }
}
