package io.sluice.redis;

import io.sluice.CallLimiter;
import io.sluice.Charge;
import io.sluice.Decision;
import io.sluice.Limit;
import io.sluice.OnFailure;
import io.sluice.redis.Call.Verb;
import io.sluice.redis.JointCall.Ask;
import io.sluice.redis.LocalKey.Promise;
import io.sluice.spi.PolicyCharge;
import org.jspecify.annotations.Nullable;

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

    /** @param own of the limit that a call brings; null for those in force */
    Decision check(String key, long permits, Verb verb, @Nullable Terms own) {
        limiter.store().health.degraded(limiter);
        return switch (how) {
            case ALLOW -> ALLOWED;
            case DENY -> DENIED;
            case LOCAL ->
                own == null
                        ? answer(
                                limiter.store().localShares.check(limiter, key, permits, verb),
                                permits,
                                limiter.terms())
                        : answer(verb == Verb.PEEK ? peek(key, permits, own) : take(key, permits, own), permits, own);
        };
    }

    /** Gives back what {@link #check} took here. */
    void refund(String key, long permits) {
        if (how == OnFailure.LOCAL && limiter.carries()) {
            localCalls().refund(key, permits);
        } else if (how == OnFailure.LOCAL) {
            limiter.store().localShares.refund(limiter, key, permits);
        }
    }

    /** The share of a process may be too small for a request that Redis would allow: that is no never. */
    private Decision answer(Decision decision, long permits, Terms terms) {
        return decision.never() && isPossible(permits, terms)
                ? Decision.denied(decision.remaining(), RETRY_MICROS, decision.resetAfterMicros())
                        .asDegraded()
                : decision.asDegraded();
    }

    private static boolean isPossible(long permits, Terms terms) {
        return terms.limits().stream().allMatch(limit -> permits <= limit.capacity());
    }

    RedisReservation reserve(ReserveCall call, long atMostMicros) {
        if (call.waits && waitsForRedis) {
            limiter.store().health.unanswered(limiter);
            return isPossible(call.permits, limiter.terms())
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

    /** A charge of a call that brings its own limit, on this process's share of that. */
    Charge charge(Ask ask, Terms own) {
        PolicyCharge charge = PolicyCharge.of(localCalls().charge(ask.key(), ask.permits(), share(own)))
                .keeping(keptHere(ask));
        return ask.shadow() ? charge.inShadow() : charge;
    }

    /** What such a charge would be answered; takes nothing. */
    Decision look(Ask ask, Terms own) {
        long kept = keptHere(ask);
        long judged = ask.permits() > Long.MAX_VALUE - kept ? Long.MAX_VALUE : ask.permits() + kept;
        Decision look = peek(ask.key(), judged, own);
        return new Decision(
                look.allowed(),
                Math.max(0, look.remaining() - kept),
                look.retryAfterMicros(),
                look.delayMicros(),
                look.resetAfterMicros());
    }

    /** Of what is kept for others, this process keeps its share. */
    private long keptHere(Ask ask) {
        return -Math.floorDiv(-ask.kept(), (long) limiter.store().processes());
    }

    private Decision take(String key, long permits, Terms own) {
        return localCalls().check(key, permits, share(own));
    }

    private Decision peek(String key, long permits, Terms own) {
        return localCalls().peek(key, permits, share(own));
    }

    private CallLimiter localCalls() {
        return limiter.store().localShares.calls(limiter.name());
    }

    private Limit share(Terms own) {
        return limiter.store().localShares.share(own.limits().get(0));
    }

    /** What a charge on this process's share was answered. */
    Decision answer(Decision decision, Ask ask) {
        limiter.store().health.degraded(limiter);
        return answer(decision, ask.judged(), ask.own() == null ? limiter.terms() : ask.own());
    }
}
