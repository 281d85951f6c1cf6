package io.sluice.redis.call;

import io.sluice.Decision;
import io.sluice.redis.limits.VersionedLimits;
import io.sluice.redis.script.Bytes;
import io.sluice.redis.script.Verb;
import org.jspecify.annotations.Nullable;

/** Asks for a permit to hold. Calls on one key are merged, although each of them has an id of its own. */
public final class EnterCall extends CheckCall {
    final long id = HoldIds.next();

    /** Whether the caller waits for the permit. Such a caller waits for Redis as well. */
    final boolean waits;

    /** Whether there was no answer, and the caller must ask again as soon as Redis answers. */
    volatile boolean awaitsRedis;

    /** The limits by which Redis has decided, or by which this process decides. */
    private volatile @Nullable VersionedLimits decidedBy;

    /** When it was sent, on the clock of {@link Holds}. */
    private volatile long since;

    /** @param waits whether the caller waits for the permit */
    public EnterCall(Verb verb, LimiterContext limiter, String key, boolean waits) {
        super(verb, limiter, key, 1);
        this.waits = waits;
    }

    /** The call for the only charge of a request. */
    EnterCall(KeyCharge charge, long deadline) {
        super(Verb.ENTER, charge, deadline);
        this.waits = false;
    }

    private VersionedLimits limits() {
        VersionedLimits by = decidedBy;
        return by != null ? by : callLimit() != null ? callLimit() : limiter.versions();
    }

    boolean holds() {
        return limits().holds;
    }

    Hold hold() {
        return new Hold(limiter, key, id);
    }

    @Override
    void encode(Bytes bytes, Batch batch) {
        decidedBy = callLimit() != null ? callLimit() : batch.versions(limiter);
        since = limiter.holds().micros();
        bytes.number(id, 8);
    }

    @Override
    boolean sending(Lane lane, LocalShares localShares) {
        if (limiter.hasLocalHolds()) {
            limiter.holds().readmit(limiter, key, lane);
        }
        return super.sending(lane, localShares);
    }

    /** A permit may be free again at any time. */
    @Override
    boolean remembersDenial() {
        return !limits().holds;
    }

    @Override
    void admitted(Decision decision) {
        if (limits().holds && limiter.hasLocalHolds()) {
            limiter.holds().entered(hold(), since + limits().holdMicros);
        }
    }

    @Override
    void outcomeUnknown() {
        if (limits().holds && !limiter.hasLocalHolds()) {
            limiter.holds().leaveLater(hold());
        }
    }

    @Override
    void late(Decision decision) {
        super.late(decision);
        if (decision.allowed() && limits().holds) {
            boolean local = limiter.holds().local.isOwed(Holds.localKey(hold()), id);
            if (!local || limiter.holds().local.readmitted(Holds.localKey(hold()), id, true)) {
                limiter.holds().leave(hold());
            }
        }
    }

    @Override
    void giveBack(Decision decision) {
        if (limits().counts) {
            super.giveBack(decision);
        }
        if (decision.allowed() && limits().holds && !holdsNothing(decision)) {
            limiter.holds().leave(hold());
        }
    }

    @Override
    void refund(long permits) {
        if (limits().counts) {
            super.refund(permits);
        }
    }

    /** Whether the caller was allowed without Redis and without a local share. */
    private boolean holdsNothing(Decision decision) {
        return decision.degraded() && !limiter.holds().local.isOwed(Holds.localKey(hold()), id);
    }

    @Override
    Decision answerWithoutRedis() {
        return limiter.fallback().enter(this);
    }

    /** The id of the hold; null if nothing is held by a decision that allowed this call. */
    @Nullable
    Hold heldBy(Decision decision) {
        return decision.allowed() && !isOutdated() && limits().holds && !holdsNothing(decision) ? hold() : null;
    }

    /** The permit for the caller. */
    public RedisPermit permit(Decision decision) {
        Hold held = heldBy(decision);
        return held == null
                ? RedisPermit.ofNothing(limiter, key, decision, () -> giveBack(decision))
                : RedisPermit.of(
                        held,
                        decision,
                        decision.degraded() ? limiter.holds().micros() : since,
                        limits().holdMicros,
                        () -> giveBack(decision));
    }
}
