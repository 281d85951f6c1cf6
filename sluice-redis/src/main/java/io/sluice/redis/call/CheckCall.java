package io.sluice.redis.call;

import io.sluice.Decision;
import io.sluice.redis.limits.VersionedLimits;
import io.sluice.redis.script.Reply;
import io.sluice.redis.script.Verb;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Asks for permits without waiting. Identical calls on one key are merged. */
public sealed class CheckCall extends Call<Decision> permits EnterCall {
    /** Whether the caller was allowed without Redis. */
    private volatile boolean allowedWithoutRedis;

    private final @Nullable VersionedLimits callLimit;

    /** The limit that must be in force, if any. */
    private final @Nullable KeyCharge expecting;

    /** Whether another limit is in force than the expected one, as of the latest encoding. Then nothing is taken. */
    private volatile boolean outdated;

    public CheckCall(Verb verb, LimiterContext limiter, String key, long permits) {
        this(verb, limiter, key, permits, null);
    }

    /** @param callLimit the limit that comes with the call; null for the limits in force */
    public CheckCall(Verb verb, LimiterContext limiter, String key, long permits, @Nullable VersionedLimits callLimit) {
        super(verb, limiter, key, permits);
        this.callLimit = callLimit;
        this.expecting = null;
    }

    CheckCall(Verb verb, LimiterContext limiter, String key, long permits, long deadline) {
        super(verb, limiter, key, permits, deadline);
        this.callLimit = null;
        this.expecting = null;
    }

    /** The call for the only charge of a request. Unlike a {@link JointCall}, it is merged with identical ones. */
    CheckCall(KeyCharge charge, long deadline) {
        this(Verb.CHECK, charge, deadline);
    }

    CheckCall(Verb verb, KeyCharge charge, long deadline) {
        super(verb, charge.limiter(), charge.key(), charge.permits(), deadline);
        this.callLimit = charge.callLimit();
        this.expecting = charge.expected() == null ? null : charge;
    }

    /** The call only looks if the expected limit is not in force. */
    @Override
    int code(Batch batch) {
        outdated = expecting != null && expecting.isOutdated(batch.versions(limiter));
        return outdated ? Verb.PEEK.code() : verb.code();
    }

    @Override
    int times(int merged) {
        return outdated ? 1 : merged;
    }

    boolean isOutdated() {
        return outdated;
    }

    /** Whether both calls expect the same limit. */
    boolean expectsSame(CheckCall other) {
        return Objects.equals(
                expecting == null ? null : expecting.expected(),
                other.expecting == null ? null : other.expecting.expected());
    }

    /** Another limit than the expected one is in force: Redis has only looked. */
    void outdated(Decision look) {
        outdated = true;
        if (claim()) {
            complete(look);
        }
    }

    @Override
    @Nullable
    VersionedLimits callLimit() {
        return callLimit;
    }

    @Override
    void answer(Reply reply) {
        answer(reply.verdict());
    }

    void answer(Reply.Verdict verdict) {
        if (local != null) {
            // Before it is settled: until then, the account of the key counts the permits as on their way.
            local.decided(verdict.decision(), 0);
        }
        if (verdict.denial() && remembersDenial()) {
            limiter.denials.remember(this, permits, verdict.decision());
        }
        if (claim()) {
            if (verdict.decision().allowed()) {
                admitted(verdict.decision());
            }
            deliver(verdict.decision());
        } else {
            late(verdict.decision());
        }
    }

    /** Redis has charged a call that was answered without it. Gives back what the caller does not use, or what is charged twice. */
    void late(Decision decision) {
        if (decision.allowed() && takes() && mayCount(decision)) {
            long unused = !usesPermits() ? permits : local == null ? 0 : local.chargedAfterAll(permits);
            if (unused > 0) {
                refund(unused);
            }
        }
    }

    /** Gives back permits that Redis has charged. */
    void refund(long unused) {
        limiter.changes().refund(key, unused);
    }

    /** Redis has allowed the request, and the caller is about to hear it. */
    void admitted(Decision decision) {}

    /** Whether a denial may answer later calls in this process. */
    boolean remembersDenial() {
        return verb != Verb.PEEK;
    }

    @Override
    void giveBack(Decision decision) {
        if (decision.degraded()) {
            allowedWithoutRedis = false;
        }
        if (decision.allowed() && takes()) {
            if (decision.degraded()) {
                limiter.fallback().refund(key, permits);
            } else {
                refund(permits);
            }
        }
    }

    private boolean takes() {
        return permits > 0 && !outdated && (verb.isCheck() || verb.isEnter());
    }

    /** Whether the caller uses the permits that Redis has charged: it was allowed without Redis, or waits still. */
    private boolean usesPermits() {
        return !isDone() || allowedWithoutRedis;
    }

    @Override
    Decision fallback() {
        Decision decision = answerWithoutRedis();
        allowedWithoutRedis = decision.allowed();
        return decision;
    }

    Decision answerWithoutRedis() {
        return limiter.fallback().check(key, permits, verb, callLimit);
    }
}
