package io.sluice.redis.call;

import io.sluice.Decision;
import io.sluice.Limit;
import io.sluice.redis.script.Reply;
import io.sluice.redis.script.Verb;

/** Takes as many permits as are free. Identical calls on one key are merged. */
public final class UpToCall extends Call<UpToCall.Taken> {
    /** The permits that the caller has asked for. {@link #permits} is never larger than a script can read. */
    private final long most;

    /** The permits that Redis may charge: at most as many as the limits can give. */
    private final long chargeable;

    /** Whether the caller has taken permits without Redis. */
    private volatile boolean tookWithoutRedis;

    /**
     * The answer to the caller.
     *
     * @param asked the permits that were free, at least 1 and at most those that the caller has asked for
     * @param decision the decision on so many permits. If it is allowed, they were taken.
     */
    public record Taken(long asked, Decision decision) {
        /** How many permits were taken. */
        public long permits() {
            return decision.allowed() ? asked : 0;
        }
    }

    public UpToCall(LimiterContext limiter, String key, long most) {
        super(Verb.UP_TO, limiter, key, most);
        this.most = most;
        this.chargeable =
                limiter.versions().limits().stream().mapToLong(Limit::capacity).reduce(permits, Math::min);
    }

    @Override
    long chargeable() {
        return chargeable;
    }

    @Override
    void answer(Reply reply) {
        long asked = reply.number(7);
        Reply.Verdict verdict = reply.verdict();
        // Only a key without limits gives more permits than a script can read.
        Taken taken = new Taken(asked == permits ? most : asked, verdict.decision());
        if (local != null) {
            // Before it is settled: until then, the account of the key counts the permits as on their way.
            local.decided(verdict.decision(), 0);
        }
        if (verdict.denial() && asked > 0) {
            limiter.denials.remember(this, asked, verdict.decision());
        }
        if (claim()) {
            deliver(taken);
        } else {
            late(taken);
        }
    }

    /** Redis has charged a call that was answered without it. Gives back what the caller does not use, or what is charged twice. */
    private void late(Taken taken) {
        if (taken.permits() > 0 && mayCount(taken.decision())) {
            boolean uses = !isDone() || tookWithoutRedis;
            long unused = !uses ? taken.permits() : local == null ? 0 : local.chargedAfterAll(taken.permits());
            if (unused > 0) {
                limiter.changes().refund(key, unused);
            }
        }
    }

    @Override
    void giveBack(Taken taken) {
        boolean degraded = taken.decision().degraded();
        if (degraded) {
            tookWithoutRedis = false;
        }
        if (taken.permits() > 0 && degraded) {
            limiter.fallback().refund(key, taken.permits());
        } else if (taken.permits() > 0) {
            limiter.changes().refund(key, taken.permits());
        }
    }

    @Override
    Taken fallback() {
        Taken taken = limiter.fallback().upTo(key, most);
        tookWithoutRedis = taken.permits() > 0;
        return taken;
    }
}
