package io.sluice.redis.call;

import io.sluice.CallLimiter;
import io.sluice.Charge;
import io.sluice.Decision;
import io.sluice.Limit;
import io.sluice.OnFailure;
import io.sluice.redis.limits.VersionedLimits;
import io.sluice.redis.local.LocalKey;
import io.sluice.redis.local.LocalKey.Promise;
import io.sluice.redis.script.Verb;
import io.sluice.spi.PolicyCharge;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Answers the calls of one limiter when Redis does not, as its {@link OnFailure} says. */
final class Fallback {
    /** When to ask again, if nothing better is known. This process tries Redis again about that often. */
    private static final long RETRY_MICROS = 1_000_000;

    private static final Decision ALLOWED = Decision.allowed(0, 0, 0).asDegraded();
    private static final Decision DENIED = Decision.denied(0, RETRY_MICROS, 0).asDegraded();

    private final LimiterContext limiter;
    private final OnFailure how;
    private final Health health;
    private final LocalShares localShares;

    /** Whether callers that wait for permits wait for Redis. */
    private final boolean waitsForRedis;

    /** @param explicit whether the option was set for this limiter, and is not the default of the store */
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

    /** @param callLimit the limit that comes with the call; null for the limits in force */
    Decision check(String key, long permits, Verb verb, @Nullable VersionedLimits callLimit) {
        health.degraded(limiter);
        return switch (how) {
            case ALLOW -> ALLOWED;
            case DENY -> DENIED;
            case LOCAL ->
                callLimit == null && limiter.versions().holds
                        ? look(key, permits)
                        : callLimit == null
                                ? answer(localShares.check(limiter, key, permits, verb), permits, limiter.versions())
                                : answer(
                                        verb == Verb.PEEK
                                                ? peek(key, permits, callLimit)
                                                : take(key, permits, callLimit),
                                        permits,
                                        callLimit);
        };
    }

    /** Gives a permit to hold. */
    Decision enter(EnterCall call) {
        if (call.waits && waitsForRedis) {
            health.unanswered(limiter);
            call.awaitsRedis = true;
            return DENIED;
        }
        if (how != OnFailure.LOCAL) {
            return check(call.key, call.permits, call.verb, call.callLimit());
        }
        health.degraded(limiter);
        VersionedLimits limits = call.callLimit() == null ? limiter.versions() : call.callLimit();
        if (!limits.holds) {
            return enterShare(call, limits);
        }
        Decision held = hold(List.of(call.hold()), call.key, 1, 0, limits);
        if (!held.allowed() || !limits.counts) {
            return held.asDegraded();
        }
        Decision taken = enterShare(call, limits);
        if (!taken.allowed()) {
            limiter.holds().leave(call.hold());
            return taken;
        }
        return LocalKey.strictest(List.of(taken, held)).asDegraded();
    }

    private Decision enterShare(EnterCall call, VersionedLimits limits) {
        VersionedLimits callLimit = call.callLimit();
        Decision share = callLimit != null
                ? take(call.key, call.permits, callLimit)
                : localShares.check(
                        limiter, call.key, call.permits, call.verb == Verb.TRY_ENTER ? Verb.TRY : Verb.CHECK);
        return answer(share, call.permits, limits);
    }

    /** Holds permits of this process's share; only looks without holds. */
    Decision hold(KeyCharge charge, List<Hold> wanted, int count, VersionedLimits limits) {
        return hold(wanted, charge.key(), count, charge.kept(), limits);
    }

    private Decision hold(List<Hold> wanted, String key, int count, long kept, VersionedLimits limits) {
        limiter.holds().enteredLocally(limiter);
        return limiter.holds()
                .local
                .enter(limiter.localKey(key), wanted.stream().map(Hold::id).toList(), count, kept, limits.limits());
    }

    /** Takes what is free, at most so many permits. */
    UpToCall.Taken upTo(String key, long most) {
        health.degraded(limiter);
        return switch (how) {
            case ALLOW -> new UpToCall.Taken(most, ALLOWED);
            case DENY -> new UpToCall.Taken(Math.min(1, most), DENIED);
            case LOCAL -> {
                UpToCall.Taken taken = localShares.upTo(limiter, key, most);
                yield new UpToCall.Taken(taken.asked(), answer(taken.decision(), taken.asked(), limiter.versions()));
            }
        };
    }

    /** Gives back permits that {@link #check} or {@link #upTo} took. */
    void refund(String key, long permits) {
        if (how == OnFailure.LOCAL && limiter.takesCallLimits()) {
            localCalls().refund(key, permits);
        } else if (how == OnFailure.LOCAL) {
            localShares.refund(limiter, key, permits);
        }
    }

    /** A local share may be too small for a request that Redis would allow. Then the answer is not "never". */
    private Decision answer(Decision decision, long permits, VersionedLimits limits) {
        return decision.never() && isPossible(permits, limits)
                ? Decision.denied(decision.remaining(), RETRY_MICROS, decision.resetAfterMicros())
                        .asDegraded()
                : decision.asDegraded();
    }

    private static boolean isPossible(long permits, VersionedLimits limits) {
        return limits.limits().stream()
                .allMatch(limit ->
                        permits <= limit.capacity() || limit.algorithm().holds());
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

    /** A charge with its own limit, on this process's share of that limit. */
    Charge charge(KeyCharge charge, VersionedLimits callLimit) {
        PolicyCharge onShare = PolicyCharge.of(localCalls().charge(charge.key(), charge.permits(), share(callLimit)))
                .keeping(keptHere(charge))
                .taking(charge.taking());
        return charge.shadow() ? onShare.inShadow() : onShare;
    }

    /** The decision on a charge with its own limit; takes no permits. */
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

    /** This process's part of the permits that are kept for other requests. */
    private long keptHere(KeyCharge charge) {
        return localShares.part(charge.kept());
    }

    /** The decision on a request of a limiter with concurrency limits, which holds nothing. */
    private Decision look(String key, long permits) {
        VersionedLimits limits = limiter.versions();
        Decision held = hold(List.of(), key, (int) Math.min(1, permits), 0, limits);
        return limits.counts
                ? LocalKey.strictest(List.of(
                                answer(localShares.check(limiter, key, permits, Verb.PEEK), permits, limits), held))
                        .asDegraded()
                : held.asDegraded();
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

    /** The answer to a charge that the local share has decided. */
    Decision answer(Decision decision, KeyCharge charge) {
        health.degraded(limiter);
        return answer(decision, charge.judged(), charge.callLimit() == null ? limiter.versions() : charge.callLimit());
    }
}
