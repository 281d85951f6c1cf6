package io.sluice.redis;

import io.sluice.Decision;
import org.jspecify.annotations.Nullable;

/** Asks for permits, without waiting: those of one key that ask for the same ride together. */
final class CheckCall extends Call<Decision> {
    /** Whether the caller was let through without Redis. */
    private volatile boolean toldAllowed;

    private final @Nullable Terms own;

    CheckCall(Verb verb, RedisLimiter limiter, String key, long permits) {
        this(verb, limiter, key, permits, null);
    }

    /** @param own of the limit that it brings; null for those in force */
    CheckCall(Verb verb, RedisLimiter limiter, String key, long permits, @Nullable Terms own) {
        super(verb, limiter, key, permits);
        this.own = own;
    }

    CheckCall(Verb verb, RedisLimiter limiter, String key, long permits, long deadline) {
        super(verb, limiter, key, permits, deadline);
        this.own = null;
    }

    @Override
    @Nullable
    Terms own() {
        return own;
    }

    @Override
    void answer(Reply reply) {
        answer(reply.verdict());
    }

    void answer(Reply.Verdict verdict) {
        if (local != null) {
            // Before it is settled: what is on its way is accounted for until it is known.
            local.heard(verdict.decision(), 0);
        }
        if (verdict.denial() && verb != Verb.PEEK) {
            limiter.denials().remember(this, verdict.decision());
        }
        if (claim()) {
            tell(verdict.decision());
        } else {
            late(verdict.decision());
        }
    }

    /** Redis has charged for whom was told without it: who was denied, and who was charged here as well. */
    private void late(Decision decision) {
        if (decision.allowed() && takes() && mayCount(decision)) {
            long unused = !toldAllowed() ? permits : local == null ? 0 : local.chargedAfterAll(permits);
            if (unused > 0) {
                limiter.changes.refund(key, unused);
            }
        }
    }

    @Override
    void giveBack(Decision decision) {
        if (decision.degraded()) {
            toldAllowed = false;
        }
        if (decision.allowed() && takes()) {
            if (decision.degraded()) {
                limiter.fallback().refund(key, permits);
            } else {
                limiter.changes.refund(key, permits);
            }
        }
    }

    private boolean takes() {
        return permits > 0 && (verb == Verb.CHECK || verb == Verb.TRY);
    }

    /** Who was let through without Redis uses what Redis has charged all the same. */
    private boolean toldAllowed() {
        return !isDone() || toldAllowed;
    }

    @Override
    Decision fallback() {
        Decision decision = limiter.fallback().check(key, permits, verb, own);
        toldAllowed = decision.allowed();
        return decision;
    }
}
