package io.sluice.redis;

import io.sluice.Decision;

/** Asks for permits, without waiting: those of one key that ask for the same ride together. */
final class CheckCall extends Call<Decision> {
    /** Whether the caller was let through without Redis. */
    private volatile boolean toldAllowed;

    CheckCall(Verb verb, RedisLimiter limiter, String key, long permits) {
        super(verb, limiter, key, permits);
    }

    @Override
    void answer(Reply reply) {
        answer(reply.verdict());
    }

    void answer(Reply.Verdict verdict) {
        if (verdict.denial() && verb != Verb.PEEK) {
            limiter.denials().remember(this, verdict.decision());
        }
        if (claim()) {
            tell(verdict.decision());
        } else if (!toldAllowed()) {
            giveBack(verdict.decision());
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
        Decision decision = limiter.fallback().check(key, permits, takes());
        toldAllowed = decision.allowed();
        return decision;
    }
}
