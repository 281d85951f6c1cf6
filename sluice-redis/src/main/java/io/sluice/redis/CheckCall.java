package io.sluice.redis;

import io.sluice.Decision;

/** Asks for permits, without waiting: those of one key that ask for the same ride together. */
final class CheckCall extends Call<Decision> {
    private boolean toldAllowed;

    CheckCall(Verb verb, RedisLimiter limiter, String key, long permits) {
        super(verb, limiter, key, permits);
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
            complete(verdict.decision());
        } else if (verdict.decision().allowed() && takes() && mayCount(verdict.decision())) {
            long unused = !toldAllowed() ? permits : local == null ? 0 : local.chargedAfterAll(permits);
            if (unused > 0) {
                limiter.changes.refund(key, unused);
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
        Decision decision = limiter.fallback().check(key, permits, verb);
        toldAllowed = decision.allowed();
        return decision;
    }
}
